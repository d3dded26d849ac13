// name: Scores of a projection's nodes
// params: $name
// store: neo4j
CALL gds.graph.nodeProperty.stream($name, 'score') YIELD nodeId, propertyValue
WITH nodeId / 200000 AS part, collect(nodeId) AS node, collect(propertyValue) AS value
RETURN node, value
