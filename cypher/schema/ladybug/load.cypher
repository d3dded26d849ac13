// name: Table of loads
// params: none
// store: ladybug
// seq keeps the order in which loads first began.
CREATE NODE TABLE IF NOT EXISTS `Load`(
    id STRING PRIMARY KEY,
    source STRING,
    sha256 STRING,
    state STRING,
    started STRING,
    counts STRING,
    seq INT64,
    level STRING
)
