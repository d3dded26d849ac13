// name: Links between components, of a range of nodes of a level
// params: $base, $lo, $hi, $component
// store: neo4j
CALL gds.graph.relationships.stream($base) YIELD sourceNodeId, targetNodeId
WITH sourceNodeId AS i, targetNodeId AS j
WHERE i >= $lo AND i < $hi AND $component[i] <> $component[j]
RETURN collect(i) AS source, collect(j) AS target
