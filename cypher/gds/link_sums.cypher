// name: Sums of a weight over the pages each page links to, of a range of pages
// params: $lo, $hi, $weights
// store: neo4j
// The weights come as one list by page id: looking one up costs no more than counting the link.
MATCH (a:Page)
USING INDEX SEEK a:Page(id)
WHERE a.id >= $lo AND a.id < $hi
MATCH (a)-[:LINKS_TO]->(b:Page)
WITH a, sum($weights[b.id]) AS total
RETURN collect(a.id) AS page, collect(total) AS total
