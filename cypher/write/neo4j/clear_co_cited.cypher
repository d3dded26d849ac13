// name: Delete the virtual links
// params: none
// store: neo4j
MATCH (:Page)-[r:CO_CITED]->(:Page)
CALL (r) {
  DELETE r
} IN TRANSACTIONS OF 50000 ROWS
