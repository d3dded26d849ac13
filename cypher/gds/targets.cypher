// name: Pages that some pages link to
// params: $ids
// store: neo4j
UNWIND $ids AS i
MATCH (p:Page {id: i})-[:LINKS_TO]->(q:Page)
RETURN collect(DISTINCT q.id) AS targets
