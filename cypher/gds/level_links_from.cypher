// name: Links of some nodes of a level
// params: $base, $ids
// store: neo4j
CALL gds.graph.relationships.stream($base) YIELD sourceNodeId, targetNodeId
WITH sourceNodeId AS i, targetNodeId AS j
WHERE i IN $ids
RETURN collect(i) AS source, collect(j) AS target
