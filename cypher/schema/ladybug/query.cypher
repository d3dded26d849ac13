// name: Table of searches
// params: none
// store: ladybug
CREATE NODE TABLE IF NOT EXISTS `Query`(
    text STRING PRIMARY KEY,
    freq DOUBLE,
    need DOUBLE
)
