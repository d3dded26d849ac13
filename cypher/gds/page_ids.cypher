// name: Which page each node of a projection is
// params: $name
// store: neo4j
// Lists of at most 200,000 nodes: a record per node would be thirty times slower, one list of all could be too long.
CALL gds.graph.nodeProperty.stream($name, 'id') YIELD nodeId, propertyValue
WITH nodeId / 200000 AS part, collect(nodeId) AS node, collect(propertyValue) AS value
RETURN node, value
