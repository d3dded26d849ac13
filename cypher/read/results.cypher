// name: Results of some searches
// params: $texts
// store: neo4j
// Rows begin with the place of their search in $texts.
UNWIND range(0, size($texts) - 1) AS i
MATCH (q:`Query` {text: $texts[i]})
MATCH (q)-[r:RESULT]->(p:Page)
RETURN collect([i, p.id, r.rank, r.clicks]) AS rows
