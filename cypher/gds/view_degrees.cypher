// name: Degrees in a projection, or sums of weights
// params: $name, $configuration
// store: neo4j
CALL gds.degree.stream($name, $configuration)
YIELD nodeId, score
WITH nodeId / 200000 AS part, collect(nodeId) AS node, collect(score) AS value
RETURN node, value
