// name: Largest page id
// params: none
// store: neo4j
// By the index, from its end; max(p.id) would visit every page.
MATCH (p:Page)
WHERE p.id >= 0
RETURN p.id AS id
ORDER BY p.id DESC
LIMIT 1
