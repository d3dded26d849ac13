// name: Version of the Graph Data Science library
// params: none
// store: neo4j
RETURN gds.version() AS version
