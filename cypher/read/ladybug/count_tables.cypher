// name: How many tables
// params: none
// store: ladybug
CALL show_tables()
RETURN count(*) AS count
