// name: Columns of a table of nodes
// params: none
// store: ladybug
// Functions take no parameters.
CALL table_info('{{TABLE}}')
RETURN name, type, `primary key` AS key
