// name: Smallest page id from a number on
// params: $lo
// store: ladybug
MATCH (p:Page)
WHERE p.id >= $lo
RETURN min(p.id) AS id
