// name: Table of results of searches
// params: none
// store: ladybug
CREATE REL TABLE IF NOT EXISTS RESULT(
    FROM `Query` TO Page,
    rank INT64,
    clicks DOUBLE
)
