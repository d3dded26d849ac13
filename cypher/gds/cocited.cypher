// name: Pages cited together with some pages
// params: $ids, $skip
// store: neo4j
// Within one MATCH no link is used twice, so b is never a.
UNWIND $ids AS i
MATCH (a:Page {id: i})<-[:LINKS_TO]-(c:Page)-[:LINKS_TO]->(b:Page)
WHERE NOT c.id IN $skip
WITH i, b, count(*) AS shared
RETURN collect(i) AS source, collect(b.id) AS target, collect(shared) AS shared
