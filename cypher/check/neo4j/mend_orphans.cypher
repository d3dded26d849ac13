// name: Delete runs that name no page
// params: none
// store: neo4j
// Ours have a version; nodes that others call Run stay.
MATCH (r:Run)
WHERE r.version IS NOT NULL AND NOT EXISTS { (r)-[:RANKED|CORE]->(:Page) }
CALL (r) {
  DETACH DELETE r
} IN TRANSACTIONS OF 1000 ROWS
