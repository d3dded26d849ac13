// name: Project weighted links of a level for a walk
// params: $base, $nodes, $name, $own, $weighted, $reversed, $apart, $within, $coefficient, $source, $target, $weight, $concurrency, $job
// store: neo4j
// As project_walk, of the links of the projection $base; its $nodes nodes keep their numbers. A projection without links has no
// weights to ask for: $own is false there.
CALL () {
  UNWIND range(0, $nodes - 1) AS source
  RETURN source, null AS target, 1.0 AS weight
UNION ALL
  UNWIND CASE WHEN $own THEN [true] ELSE [] END AS own
  CALL gds.graph.relationshipProperty.stream($base, 'weight') YIELD sourceNodeId, targetNodeId, propertyValue
  WITH sourceNodeId AS a, targetNodeId AS b, propertyValue AS summed
  WHERE all(site IN $apart WHERE site[a] < 0 OR site[a] <> site[b])
    AND all(site IN $within WHERE site[a] >= 0 AND site[a] = site[b])
  WITH CASE WHEN $reversed THEN b ELSE a END AS source, CASE WHEN $reversed THEN a ELSE b END AS target, summed
  RETURN source, target, CASE WHEN $weighted THEN $coefficient[source] * summed ELSE $coefficient[source] END AS weight
UNION ALL
  UNWIND range(0, size($source) - 1) AS k
  RETURN $source[k] AS source, $target[k] AS target, $weight[k] AS weight
}
RETURN gds.graph.project($name, source, target, {relationshipProperties: {weight: weight}},
  {readConcurrency: $concurrency, jobId: $job}).relationshipCount AS links
