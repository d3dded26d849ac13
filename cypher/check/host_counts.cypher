// name: Hosts that count their pages wrong
// params: none
// store: neo4j
MATCH (h:Host)
WHERE coalesce(h.pages, 0) <> COUNT { (:Page)-[:ON]->(h) }
RETURN count(h) AS found
