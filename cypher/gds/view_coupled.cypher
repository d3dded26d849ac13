// name: Pages that link to what some pages link to, in a view
// params: $ids, $skip, $apart, $within
// store: neo4j
// Co-citation where links point the other way.
UNWIND $ids AS i
MATCH (a:Page {id: i})-[:LINKS_TO]->(c:Page)<-[:LINKS_TO]-(b:Page)
WHERE NOT c.id IN $skip
WITH i, c.id AS k, b.id AS j
WHERE all(site IN $apart WHERE site[k] < 0 OR site[k] <> site[i])
  AND all(site IN $within WHERE site[k] >= 0 AND site[k] = site[i])
  AND all(site IN $apart WHERE site[k] < 0 OR site[k] <> site[j])
  AND all(site IN $within WHERE site[k] >= 0 AND site[k] = site[j])
WITH i, j, count(*) AS shared
RETURN collect(i) AS source, collect(j) AS target, collect(shared) AS shared
