// name: Nodes that some nodes of a level link to
// params: $base, $ids
// store: neo4j
CALL gds.graph.relationships.stream($base) YIELD sourceNodeId, targetNodeId
WITH sourceNodeId AS i, targetNodeId AS j
WHERE i IN $ids
RETURN collect(DISTINCT j) AS targets
