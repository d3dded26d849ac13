// name: A value that several nodes of a label have, though one may have it
// params: none
// store: neo4j
MATCH (n:{{label}})
WHERE n.{{property}} IS NOT NULL
WITH n.{{property}} AS value, count(n) AS found, head(collect(properties(n))) AS example
WHERE found > 1
RETURN found, example
LIMIT 1
