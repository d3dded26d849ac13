// name: All links of a level
// params: $base
// store: neo4j
CALL gds.graph.relationships.stream($base) YIELD sourceNodeId, targetNodeId
WITH sourceNodeId / 20000 AS part, collect(sourceNodeId) AS source, collect(targetNodeId) AS target
RETURN source, target
