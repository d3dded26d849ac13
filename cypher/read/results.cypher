// name: Results of searches
// params: none
// store: both
MATCH (q:`Query`)-[r:RESULT]->(p:Page)
RETURN q.text AS query, p.id AS id, r.rank AS rank, r.clicks AS clicks
ORDER BY query, rank, id
