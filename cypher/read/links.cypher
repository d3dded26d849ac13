// name: Links of a range of sources
// params: $lo, $hi
// store: neo4j
// The hint is for the moments after a first load: the server has then seen an empty index, in which every way costs
// nothing, and would scan all pages for each range. The same holds for all statements that take a range.
// Two lists: a record per link would be thirty times slower.
MATCH (a:Page)
USING INDEX SEEK a:Page(id)
WHERE a.id >= $lo AND a.id < $hi
MATCH (a)-[:LINKS_TO]->(b:Page)
RETURN collect(a.id) AS source, collect(b.id) AS target
