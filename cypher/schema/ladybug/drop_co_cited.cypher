// name: Drop the virtual links
// params: none
// store: ladybug
// Dropping the table is instant; deleting millions of relationships is not.
DROP TABLE CO_CITED
