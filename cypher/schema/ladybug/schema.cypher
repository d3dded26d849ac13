// name: Table of what the store knows of itself
// params: none
// store: ladybug
// Its row 'changes' counts the changes of the graph: see load/ladybug/count_change.
CREATE NODE TABLE IF NOT EXISTS `Schema`(
    name STRING PRIMARY KEY,
    count INT64
)
