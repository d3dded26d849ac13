// name: Some pages and their hosts
// params: $lo, $hi
// store: ladybug
MATCH (p:Page)
WHERE p.id >= $lo AND p.id < $hi
OPTIONAL MATCH (p)-[:`ON`]->(h:Host)
RETURN p.{{columns}}, h.name
ORDER BY p.id
