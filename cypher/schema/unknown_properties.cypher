// name: Names of properties that the database does not know
// params: $names
// store: neo4j
CALL db.propertyKeys() YIELD propertyKey
WITH collect(propertyKey) AS known
RETURN [name IN $names WHERE NOT name IN known] AS names
