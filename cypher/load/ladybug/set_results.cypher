// name: Change results of searches
// params: $rows
// store: ladybug
LOAD FROM $rows
MATCH (q:`Query` {text: query})-[r:RESULT]->(p:Page {id: id})
SET r.rank = coalesce(rank, r.rank), r.clicks = coalesce(clicks, r.clicks)
