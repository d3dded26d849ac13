// name: Table of runs
// params: none
// store: ladybug
CREATE NODE TABLE IF NOT EXISTS Run(
    id STRING PRIMARY KEY,
    method STRING,
    parameters STRING,
    graph STRING,
    engine STRING,
    version STRING,
    created STRING,
    seconds DOUBLE
)
