// name: Make names of properties known
// params: $names
// store: neo4j
UNWIND $names AS name
CALL db.createProperty(name)
RETURN count(*) AS made
