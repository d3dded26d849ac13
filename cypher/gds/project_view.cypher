// name: Project the links that stay in a view
// params: $name, $weighted, $reversed, $apart, $within, $concurrency, $job
// store: neo4j
// Nodes of the projection are page ids. A link goes when a list of $apart has both of its pages in one site, or when a list
// of $within has them in two, or one of them in none (-1). Both are
// the same from either end, so links that are to point the other way have their ends swapped at last.
MATCH (s:Page)
WITH s, s.id AS a
OPTIONAL MATCH (s)-[r:LINKS_TO]->(t:Page)
WHERE all(site IN $apart WHERE site[a] < 0 OR site[a] <> site[t.id])
  AND all(site IN $within WHERE site[a] >= 0 AND site[a] = site[t.id])
WITH a, t.id AS b, r
WITH CASE WHEN $reversed AND b IS NOT NULL THEN b ELSE a END AS source,
     CASE WHEN $reversed AND b IS NOT NULL THEN a ELSE b END AS target, r
RETURN gds.graph.project($name, source, target,
  CASE WHEN $weighted THEN {relationshipProperties: {weight: coalesce(r.weight, 1.0)}} ELSE {} END,
  {readConcurrency: $concurrency, jobId: $job}).relationshipCount AS links
