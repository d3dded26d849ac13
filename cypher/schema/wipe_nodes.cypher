// name: Delete every node
// params: none
// store: neo4j
MATCH (n)
CALL (n) {
  DETACH DELETE n
} IN TRANSACTIONS OF 50000 ROWS
