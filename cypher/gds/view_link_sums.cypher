// name: Sums of a weight over the pages each page links to in a view, of a range of pages
// params: $lo, $hi, $weights, $reversed, $apart, $within
// store: neo4j
// Where links point the other way, these are parts of sums: a page's links are those of several ranges.
MATCH (a:Page)
USING INDEX SEEK a:Page(id)
WHERE a.id >= $lo AND a.id < $hi
WITH a, a.id AS i
MATCH (a)-[:LINKS_TO]->(b:Page)
WITH i, b.id AS j
WHERE all(site IN $apart WHERE site[i] < 0 OR site[i] <> site[j])
  AND all(site IN $within WHERE site[i] >= 0 AND site[i] = site[j])
WITH CASE WHEN $reversed THEN j ELSE i END AS page, CASE WHEN $reversed THEN i ELSE j END AS other
WITH page, sum($weights[other]) AS total
RETURN collect(page) AS page, collect(total) AS total
