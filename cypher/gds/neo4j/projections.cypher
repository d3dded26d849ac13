// name: Projections of this user
// params: none
// store: neo4j
CALL gds.graph.list() YIELD graphName, creationTime
RETURN graphName AS name, creationTime < datetime() - duration('P1D') AS old
