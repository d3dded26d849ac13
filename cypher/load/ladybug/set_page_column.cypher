// name: Change a column of pages
// params: $rows
// store: ladybug
// One column at a time, with the rows that are to change.
LOAD FROM $rows
MATCH (p:Page {id: key})
SET p.{{column}} = value
