// name: Hosts from a name on
// params: $first, $limit
// store: neo4j
MATCH (h:Host)
WHERE h.name >= $first
WITH h ORDER BY h.name LIMIT $limit
RETURN collect([h.{{columns}}]) AS rows
