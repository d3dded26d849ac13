// name: Links between components, of a range of sources
// params: $lo, $hi, $component
// store: neo4j
// Made distinct by the client: DISTINCT here took five times as long as sending what repeats.
MATCH (a:Page)
USING INDEX SEEK a:Page(id)
WHERE a.id >= $lo AND a.id < $hi
WITH a, a.id AS i
MATCH (a)-[:LINKS_TO]->(b:Page)
WITH i, b.id AS j
WHERE $component[i] <> $component[j]
RETURN collect(i) AS source, collect(j) AS target
