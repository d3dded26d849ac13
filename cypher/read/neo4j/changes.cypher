// name: How many changes were counted
// params: none
// store: neo4j
// Each lane of a load counts its own.
MATCH (s:`Schema`)
WHERE s.name = 'turn' OR s.name STARTS WITH 'turn '
RETURN coalesce(sum(s.changes), 0) AS changes
