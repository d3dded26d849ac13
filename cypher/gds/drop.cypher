// name: Drop a projection, if it is there
// params: $name
// store: neo4j
CALL gds.graph.drop($name, false) YIELD graphName
RETURN graphName AS name
