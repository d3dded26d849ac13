// name: Whether any link ever had a weight
// params: none
// store: neo4j
CALL db.propertyKeys() YIELD propertyKey
WHERE propertyKey = 'weight'
RETURN count(*) > 0 AS there
