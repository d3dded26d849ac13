// name: Projections of this user in this database, and their age
// params: none
// store: neo4j
CALL db.info() YIELD name AS here
CALL gds.graph.list() YIELD graphName, database, creationTime
WITH here, graphName, database, creationTime
WHERE database = here
RETURN graphName AS name, (datetime().epochMillis - creationTime.epochMillis) / 60000.0 AS minutes
