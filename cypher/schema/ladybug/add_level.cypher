// name: Add what a node is to loads
// params: none
// store: ladybug
// Null in records of stores made before schema 3: all of them hold pages.
ALTER TABLE `Load` ADD IF NOT EXISTS level STRING
