// name: Columns of pages
// params: none
// store: ladybug
// Functions take no parameters.
CALL table_info('Page')
RETURN name, type
