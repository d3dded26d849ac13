// name: Drop an index of ours
// params: none
// store: neo4j
DROP INDEX {{index}} IF EXISTS
