// name: Delete links from a page to itself
// params: none
// store: neo4j
MATCH (p:Page)-[r:LINKS_TO]->(p)
CALL (r) {
  DELETE r
} IN TRANSACTIONS OF 50000 ROWS
