// name: Add a page column
// params: none
// store: ladybug
ALTER TABLE Page ADD IF NOT EXISTS {{column}} {{TYPE}}
