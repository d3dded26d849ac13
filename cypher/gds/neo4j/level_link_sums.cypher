// name: Sums of a weight over the nodes each node of a level links to, of a range of nodes
// params: $base, $lo, $hi, $weights, $apart, $within
// store: neo4j
CALL gds.graph.relationships.stream($base) YIELD sourceNodeId, targetNodeId
WITH sourceNodeId AS i, targetNodeId AS j
WHERE i >= $lo AND i < $hi
  AND all(site IN $apart WHERE site[i] < 0 OR site[i] <> site[j])
  AND all(site IN $within WHERE site[i] >= 0 AND site[i] = site[j])
WITH i, sum($weights[j]) AS total
RETURN collect(i) AS page, collect(total) AS total
