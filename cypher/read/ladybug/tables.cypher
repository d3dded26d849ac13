// name: Tables of nodes and links
// params: none
// store: ladybug
CALL show_tables()
RETURN name, type
