// name: Mark of the schema's version
// params: none
// store: ladybug
CALL show_tables() WHERE name = 'Page'
RETURN comment
