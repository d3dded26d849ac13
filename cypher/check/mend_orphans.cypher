// name: Delete runs that name no page
// params: none
// store: neo4j
// Runs of seedrank have a version; nodes without one belong to other programs and stay.
MATCH (r:Run)
WHERE r.version IS NOT NULL AND NOT EXISTS { (r)-[:RANKED|CORE]->(:Page) }
CALL (r) {
  DETACH DELETE r
} IN TRANSACTIONS OF 1000 ROWS
