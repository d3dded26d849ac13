// name: The cores of a run
// params: $run
// store: neo4j
MATCH (:Run {id: $run})-[x:CORE]->(p:Page)
RETURN p.id AS id, x.n AS n, x.role AS role
ORDER BY id, n, role
