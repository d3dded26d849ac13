// name: Project the links of a level that stay in a view
// params: $base, $nodes, $name, $reversed, $apart, $within, $concurrency, $job
// store: neo4j
// As project_view, of the links of the projection $base; its $nodes nodes keep their numbers.
CALL () {
  UNWIND range(0, $nodes - 1) AS a
  RETURN a, null AS b, 1.0 AS weight
UNION ALL
  CALL gds.graph.relationshipProperty.stream($base, 'weight') YIELD sourceNodeId, targetNodeId, propertyValue
  WITH sourceNodeId AS a, targetNodeId AS b, propertyValue AS weight
  WHERE all(site IN $apart WHERE site[a] < 0 OR site[a] <> site[b])
    AND all(site IN $within WHERE site[a] >= 0 AND site[a] = site[b])
  RETURN CASE WHEN $reversed THEN b ELSE a END AS a, CASE WHEN $reversed THEN a ELSE b END AS b, weight
}
RETURN gds.graph.project($name, a, b, {relationshipProperties: {weight: weight}},
  {readConcurrency: $concurrency, jobId: $job}).relationshipCount AS links
