// name: Sums of a weight over the nodes each node of a level links to, of a range of nodes
// params: $base, $lo, $hi, $weights, $reversed, $apart, $within
// store: neo4j
// Where links point the other way, these are parts of sums, as of view_link_sums.
CALL gds.graph.relationships.stream($base) YIELD sourceNodeId, targetNodeId
WITH sourceNodeId AS i, targetNodeId AS j
WHERE i >= $lo AND i < $hi
  AND all(site IN $apart WHERE site[i] < 0 OR site[i] <> site[j])
  AND all(site IN $within WHERE site[i] >= 0 AND site[i] = site[j])
WITH CASE WHEN $reversed THEN j ELSE i END AS page, CASE WHEN $reversed THEN i ELSE j END AS other
WITH page, sum($weights[other]) AS total
RETURN collect(page) AS page, collect(total) AS total
