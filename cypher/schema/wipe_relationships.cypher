// name: Delete every relationship
// params: none
// store: neo4j
// Before the nodes: a page with millions of links would not fit in one transaction.
MATCH ()-[r]->()
CALL (r) {
  DELETE r
} IN TRANSACTIONS OF 50000 ROWS
