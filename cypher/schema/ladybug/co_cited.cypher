// name: Table of virtual links
// params: none
// store: ladybug
CREATE REL TABLE IF NOT EXISTS CO_CITED(
    FROM Page TO Page,
    weight DOUBLE
)
