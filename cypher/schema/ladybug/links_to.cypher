// name: Table of links
// params: none
// store: ladybug
// Anchors are added by add_anchors with the first load that has some: a column of lists, even of none, costs a load
// of links a quarter more time and half more memory.
CREATE REL TABLE IF NOT EXISTS LINKS_TO(
    FROM Page TO Page,
    weight DOUBLE
)
