// name: Pages of a range of ids
// params: $lo, $hi
// store: neo4j
// One list of rows: a record per page would cost many times as much to send. A list per column would lose its nulls.
MATCH (p:Page)
USING INDEX SEEK p:Page(id)
WHERE p.id >= $lo AND p.id < $hi
WITH p ORDER BY p.id
RETURN collect([p.{{columns}}]) AS rows
