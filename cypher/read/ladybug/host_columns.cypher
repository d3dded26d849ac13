// name: Columns of hosts
// params: none
// store: ladybug
// Functions take no parameters.
CALL table_info('Host')
RETURN name, type
