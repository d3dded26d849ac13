// name: Drop one of seedrank's indexes
// params: none
// store: neo4j
DROP INDEX {{index}} IF EXISTS
