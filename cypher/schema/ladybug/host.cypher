// name: Table of hosts
// params: none
// store: ladybug
CREATE NODE TABLE IF NOT EXISTS Host(
    name STRING PRIMARY KEY,
    pages INT64
)
