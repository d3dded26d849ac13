// name: Nodes cited together with some nodes of a level
// params: $base, $ids, $skip, $apart, $within
// store: neo4j
CALL gds.graph.relationships.stream($base) YIELD sourceNodeId, targetNodeId
WITH sourceNodeId AS k, targetNodeId AS j
WHERE NOT k IN $skip
  AND all(site IN $apart WHERE site[k] < 0 OR site[k] <> site[j])
  AND all(site IN $within WHERE site[k] >= 0 AND site[k] = site[j])
WITH k, collect(j) AS cited
UNWIND [one IN cited WHERE one IN $ids] AS i
UNWIND cited AS j
WITH i, j
WHERE i <> j
WITH i, j, count(*) AS shared
RETURN collect(i) AS source, collect(j) AS target, collect(shared) AS shared
