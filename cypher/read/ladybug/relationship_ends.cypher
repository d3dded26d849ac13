// name: Which nodes a table of links joins
// params: none
// store: ladybug
// Functions take no parameters.
CALL show_connection('{{TABLE}}')
RETURN `source table name` AS source, `destination table name` AS target
