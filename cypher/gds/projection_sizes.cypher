// name: Projections of this user in this database, with their sizes
// params: none
// store: neo4j
// Apart from the other: adding up the memory takes a while.
CALL db.info() YIELD name AS here
CALL gds.graph.list() YIELD graphName, database, creationTime, nodeCount, relationshipCount, sizeInBytes
WITH here, graphName, database, creationTime, nodeCount, relationshipCount, sizeInBytes
WHERE database = here
RETURN graphName AS name, nodeCount AS nodes, relationshipCount AS links, sizeInBytes AS bytes,
  (datetime().epochMillis - creationTime.epochMillis) / 60000.0 AS minutes
ORDER BY name
