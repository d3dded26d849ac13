// name: Nodes of a level that link to what some nodes link to
// params: $base, $ids, $skip, $apart, $within
// store: neo4j
// Co-citation where links point the other way.
CALL gds.graph.relationships.stream($base) YIELD sourceNodeId, targetNodeId
WITH sourceNodeId AS j, targetNodeId AS k
WHERE NOT k IN $skip
  AND all(site IN $apart WHERE site[k] < 0 OR site[k] <> site[j])
  AND all(site IN $within WHERE site[k] >= 0 AND site[k] = site[j])
WITH k, collect(j) AS citing
UNWIND [one IN citing WHERE one IN $ids] AS i
UNWIND citing AS j
WITH i, j
WHERE i <> j
WITH i, j, count(*) AS shared
RETURN collect(i) AS source, collect(j) AS target, collect(shared) AS shared
