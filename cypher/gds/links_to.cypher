// name: Links to some pages
// params: $ids
// store: neo4j
UNWIND $ids AS i
MATCH (p:Page {id: i})<-[:LINKS_TO]-(q:Page)
RETURN collect(q.id) AS source, collect(i) AS target
