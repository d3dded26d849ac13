// name: In-degree and out-degree of a range of pages
// params: $lo, $hi
// store: neo4j
// Links are unique and none is from a page to itself, so links are neighbours.
MATCH (p:Page)
USING INDEX SEEK p:Page(id)
WHERE p.id >= $lo AND p.id < $hi
WITH p.id AS page, COUNT { (p)<-[:LINKS_TO]-() } AS in, COUNT { (p)-[:LINKS_TO]->() } AS out
RETURN collect(page) AS page, collect(in) AS in, collect(out) AS out
