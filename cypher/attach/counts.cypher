// name: How many nodes of a label there are
// params: none
// store: neo4j
MATCH (n:{{label}})
RETURN count(n) AS nodes
