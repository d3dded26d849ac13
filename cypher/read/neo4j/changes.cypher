// name: How many changes were counted
// params: none
// store: neo4j
MATCH (s:`Schema` {name: 'turn'})
RETURN coalesce(sum(s.changes), 0) AS changes
