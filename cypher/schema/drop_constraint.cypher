// name: Drop a constraint
// params: none
// store: neo4j
DROP CONSTRAINT {{constraint}} IF EXISTS
