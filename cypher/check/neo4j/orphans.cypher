// name: Runs that name no page
// params: none
// store: neo4j
// Ours have a version; nodes that others call Run are no concern of ours.
MATCH (r:Run)
WHERE r.version IS NOT NULL AND NOT EXISTS { (r)-[:RANKED|CORE]->(:Page) }
RETURN count(r) AS found
