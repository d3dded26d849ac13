// name: Sums of a value times the weight of the link over the nodes each node of a level links to, of a range of nodes
// params: $base, $lo, $hi, $values, $apart, $within
// store: neo4j
CALL gds.graph.relationshipProperty.stream($base, 'weight') YIELD sourceNodeId, targetNodeId, propertyValue
WITH sourceNodeId AS i, targetNodeId AS j, propertyValue AS weight
WHERE i >= $lo AND i < $hi
  AND all(site IN $apart WHERE site[i] < 0 OR site[i] <> site[j])
  AND all(site IN $within WHERE site[i] >= 0 AND site[i] = site[j])
WITH i, sum(weight * $values[j]) AS total
RETURN collect(i) AS page, collect(total) AS total
