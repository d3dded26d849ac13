// name: Columns of links
// params: none
// store: ladybug
// Functions take no parameters.
CALL table_info('LINKS_TO')
RETURN name, type
