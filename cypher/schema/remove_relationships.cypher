// name: Delete our relationships
// params: none
// store: neo4j
// Before the nodes: a page with millions of links would not fit in one transaction. Those between nodes of others stay.
MATCH (a)-[r:LINKS_TO|`ON`|RESULT|RANKED|CORE|CO_CITED]->(b)
WHERE (a:Page AND a.id IS NOT NULL) OR (b:Page AND b.id IS NOT NULL)
CALL (r) {
  DELETE r
} IN TRANSACTIONS OF 50000 ROWS
