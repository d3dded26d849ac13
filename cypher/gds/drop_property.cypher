// name: Drop a property of a projection's nodes
// params: $name, $property
// store: neo4j
CALL gds.graph.nodeProperties.drop($name, $property) YIELD propertiesRemoved
RETURN propertiesRemoved AS nodes
