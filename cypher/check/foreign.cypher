// name: Nodes of a label that lack a property which those of seedrank have
// params: $known
// store: neo4j
// Where seedrank never wrote ($known is false) all of them are another's.
MATCH (n:{{label}})
WHERE NOT $known OR n.{{property}} IS NULL
WITH count(n) AS found, head(collect(properties(n))) AS example
RETURN found, example
