// name: In-degree and out-degree of a range of nodes of a level
// params: $base, $lo, $hi
// store: neo4j
CALL gds.graph.relationships.stream($base) YIELD sourceNodeId, targetNodeId
UNWIND [[sourceNodeId, 0, 1], [targetNodeId, 1, 0]] AS end
WITH end[0] AS node, sum(end[1]) AS in, sum(end[2]) AS out
WHERE node >= $lo AND node < $hi
RETURN collect(node) AS page, collect(in) AS in, collect(out) AS out
