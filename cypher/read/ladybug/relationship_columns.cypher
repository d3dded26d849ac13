// name: Columns of a table of links
// params: none
// store: ladybug
// Functions take no parameters.
CALL table_info('{{TABLE}}')
RETURN name, type
