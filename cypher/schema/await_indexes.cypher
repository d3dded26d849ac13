// name: Wait until the indexes are filled
// params: $seconds
// store: neo4j
CALL db.awaitIndexes($seconds)
