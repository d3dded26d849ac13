// name: A property of a projection's nodes
// params: $name, $property
// store: neo4j
CALL gds.graph.nodeProperty.stream($name, $property) YIELD nodeId, propertyValue
WITH nodeId / 200000 AS part, collect(nodeId) AS node, collect(propertyValue) AS value
RETURN node, value
