// name: Runs that name no page
// params: none
// store: neo4j
// Runs of seedrank have a version; nodes without one belong to other programs.
MATCH (r:Run)
WHERE r.version IS NOT NULL AND NOT EXISTS { (r)-[:RANKED|CORE]->(:Page) }
RETURN count(r) AS found
