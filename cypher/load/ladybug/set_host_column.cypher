// name: Change a column of hosts
// params: $rows
// store: ladybug
// One column at a time, with the rows that are to change.
LOAD FROM $rows
MATCH (h:Host {name: key})
SET h.{{column}} = value
