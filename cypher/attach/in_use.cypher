// name: Nodes of a label that have a property
// params: $column
// store: neo4j
MATCH (n:{{label}})
WHERE n[$column] IS NOT NULL
RETURN count(n) AS found
