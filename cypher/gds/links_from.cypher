// name: Links of some pages
// params: $ids
// store: neo4j
UNWIND $ids AS i
MATCH (p:Page {id: i})-[:LINKS_TO]->(q:Page)
RETURN collect(i) AS source, collect(q.id) AS target
