// name: Names of the constraints
// params: none
// store: neo4j
SHOW CONSTRAINTS YIELD name
RETURN collect(name) AS names
