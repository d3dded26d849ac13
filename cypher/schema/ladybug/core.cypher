// name: Table of cores of runs
// params: none
// store: ladybug
CREATE REL TABLE IF NOT EXISTS CORE(
    FROM Run TO Page,
    n INT64,
    role STRING
)
