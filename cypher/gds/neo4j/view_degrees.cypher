// name: Degrees in a projection
// params: $name, $orientation, $concurrency
// store: neo4j
CALL gds.degree.stream($name, {orientation: $orientation, concurrency: $concurrency})
YIELD nodeId, score
WITH nodeId / 200000 AS part, collect(nodeId) AS node, collect(score) AS value
RETURN node, value
