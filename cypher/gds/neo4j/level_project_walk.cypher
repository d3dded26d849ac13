// name: Project weighted links of a level for a walk
// params: $base, $nodes, $name, $own, $apart, $within, $coefficient, $source, $target, $weight, $concurrency, $job
// store: neo4j
// As project_walk, of the links of the projection $base; its $nodes nodes keep their numbers.
CALL () {
  UNWIND range(0, $nodes - 1) AS source
  RETURN source, null AS target, 1.0 AS weight
UNION ALL
  CALL gds.graph.relationships.stream($base) YIELD sourceNodeId, targetNodeId
  WITH sourceNodeId AS source, targetNodeId AS target
  WHERE $own
    AND all(site IN $apart WHERE site[source] < 0 OR site[source] <> site[target])
    AND all(site IN $within WHERE site[source] >= 0 AND site[source] = site[target])
  RETURN source, target, $coefficient[source] AS weight
UNION ALL
  UNWIND range(0, size($source) - 1) AS k
  RETURN $source[k] AS source, $target[k] AS target, $weight[k] AS weight
}
RETURN gds.graph.project($name, source, target, {relationshipProperties: {weight: weight}},
  {readConcurrency: $concurrency, jobId: $job}).relationshipCount AS links
