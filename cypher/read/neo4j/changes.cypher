// name: How many changes were counted
// params: none
// store: neo4j
// Each lane of a load counts its own.
// Schema: as version 0.2 called them.
MATCH (s:SeedrankSchema|`Schema`)
WHERE s.load IS NOT NULL AND (s.name = 'turn' OR s.name STARTS WITH 'turn ')
RETURN coalesce(sum(s.changes), 0) AS changes
