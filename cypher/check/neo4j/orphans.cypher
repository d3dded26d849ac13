// name: Runs that name no page
// params: none
// store: neo4j
MATCH (r:Run)
WHERE NOT EXISTS { (r)-[:RANKED|CORE]->(:Page) }
RETURN count(r) AS found
