// name: Project the links that stay in a view
// params: $name, $weighted, $apart, $within, $concurrency, $job
// store: neo4j
// Nodes of the projection are page ids. A link goes when a list of $apart has both of its pages in one site, or when a list
// of $within has them in two, or one of them in none (-1).
MATCH (s:Page)
WITH s, s.id AS a
OPTIONAL MATCH (s)-[r:LINKS_TO]->(t:Page)
WHERE all(site IN $apart WHERE site[a] < 0 OR site[a] <> site[t.id])
  AND all(site IN $within WHERE site[a] >= 0 AND site[a] = site[t.id])
RETURN gds.graph.project($name, a, t.id,
  CASE WHEN $weighted THEN {relationshipProperties: {weight: coalesce(r.weight, 1.0)}} ELSE {} END,
  {readConcurrency: $concurrency, jobId: $job}).relationshipCount AS links
