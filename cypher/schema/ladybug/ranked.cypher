// name: Table of ranked pages of runs
// params: none
// store: ladybug
CREATE REL TABLE IF NOT EXISTS RANKED(
    FROM Run TO Page,
    rank INT64,
    score DOUBLE
)
