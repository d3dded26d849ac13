// name: Project weighted links for a walk
// params: $name, $own, $weighted, $reversed, $apart, $within, $coefficient, $source, $target, $weight, $concurrency, $job
// store: neo4j
// The graph's own links, each with its source's coefficient times its weight, and links given as lists: between pages, to the
// sink, and from the nodes a walk starts at. Nodes of the projection are page ids and numbers above them. Own links that are to
// point the other way have their ends swapped.
CALL () {
  MATCH (s:Page)
  WITH s, s.id AS a
  OPTIONAL MATCH (s)-[r:LINKS_TO]->(t:Page)
  WHERE $own
    AND all(site IN $apart WHERE site[a] < 0 OR site[a] <> site[t.id])
    AND all(site IN $within WHERE site[a] >= 0 AND site[a] = site[t.id])
  WITH a, t.id AS b, r
  WITH CASE WHEN $reversed AND b IS NOT NULL THEN b ELSE a END AS source,
       CASE WHEN $reversed AND b IS NOT NULL THEN a ELSE b END AS target, r
  RETURN source, target,
    CASE WHEN $weighted THEN $coefficient[source] * coalesce(r.weight, 1.0) ELSE $coefficient[source] END AS weight
UNION ALL
  UNWIND range(0, size($source) - 1) AS k
  RETURN $source[k] AS source, $target[k] AS target, $weight[k] AS weight
}
RETURN gds.graph.project($name, source, target, {relationshipProperties: {weight: weight}},
  {readConcurrency: $concurrency, jobId: $job}).relationshipCount AS links
