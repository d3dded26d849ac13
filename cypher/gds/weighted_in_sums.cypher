// name: Sums of a value times the weight of the link over the pages that link to each page, of a range of pages
// params: $lo, $hi, $values, $apart, $within
// store: neo4j
MATCH (a:Page)
USING INDEX SEEK a:Page(id)
WHERE a.id >= $lo AND a.id < $hi
WITH a, a.id AS i
MATCH (a)<-[r:LINKS_TO]-(b:Page)
WITH i, b.id AS j, coalesce(r.weight, 1.0) AS weight
WHERE all(site IN $apart WHERE site[i] < 0 OR site[i] <> site[j])
  AND all(site IN $within WHERE site[i] >= 0 AND site[i] = site[j])
WITH i, sum(weight * $values[j]) AS total
RETURN collect(i) AS page, collect(total) AS total
