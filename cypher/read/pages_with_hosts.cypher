// name: Pages of a range of ids with their hosts
// params: $lo, $hi
// store: neo4j
// The host is the last value of a row.
MATCH (p:Page)
USING INDEX SEEK p:Page(id)
WHERE p.id >= $lo AND p.id < $hi
OPTIONAL MATCH (p)-[:ON]->(h:Host)
WITH p, min(h.name) AS host
ORDER BY p.id
RETURN collect([p.{{columns}}, host]) AS rows
