// name: Sums of a weight over the pages each page links to in a view, of a range of pages
// params: $lo, $hi, $weights, $apart, $within
// store: neo4j
MATCH (a:Page)
WHERE a.id >= $lo AND a.id < $hi
WITH a, a.id AS i
MATCH (a)-[:LINKS_TO]->(b:Page)
WITH i, b.id AS j
WHERE all(site IN $apart WHERE site[i] < 0 OR site[i] <> site[j])
  AND all(site IN $within WHERE site[i] >= 0 AND site[i] = site[j])
WITH i, sum($weights[j]) AS total
RETURN collect(i) AS page, collect(total) AS total
