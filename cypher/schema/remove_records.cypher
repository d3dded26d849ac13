// name: Delete what seedrank notes of the database
// params: none
// store: neo4j
MATCH (s:SeedrankSchema)
DELETE s
