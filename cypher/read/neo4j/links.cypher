// name: Links of a range of sources
// params: $lo, $hi
// store: neo4j
// Two lists: a record per link would be thirty times slower.
MATCH (a:Page)
WHERE a.id >= $lo AND a.id < $hi
MATCH (a)-[:LINKS_TO]->(b:Page)
RETURN collect(a.id) AS source, collect(b.id) AS target
