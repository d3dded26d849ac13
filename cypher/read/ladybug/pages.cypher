// name: Some pages
// params: $lo, $hi
// store: ladybug
MATCH (p:Page)
WHERE p.id >= $lo AND p.id < $hi
RETURN p.{{columns}}
ORDER BY p.id
