// name: Make names of types of relationships known
// params: $names
// store: neo4j
UNWIND $names AS name
CALL db.createRelationshipType(name)
RETURN count(*) AS made
