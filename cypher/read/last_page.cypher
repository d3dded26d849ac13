// name: Largest page id
// params: none
// store: both
MATCH (p:Page)
RETURN max(p.id) AS id
