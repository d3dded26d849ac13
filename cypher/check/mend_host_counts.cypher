// name: Count the pages of hosts that count them wrong
// params: none
// store: neo4j
MATCH (h:Host)
WHERE coalesce(h.pages, 0) <> COUNT { (:Page)-[:ON]->(h) }
CALL (h) {
  SET h.pages = COUNT { (:Page)-[:ON]->(h) }
} IN TRANSACTIONS OF 10000 ROWS
