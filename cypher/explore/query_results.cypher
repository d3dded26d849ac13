// name: Searches with their results
// params: $limit = 25
// store: both
// A table: what was asked most, what was shown and what was clicked; `need` near 1 is a search nobody answers well.
MATCH (q:`Query`)-[result:RESULT]->(page:Page)
RETURN q.text AS search, q.freq AS freq, q.need AS need,
       result.rank AS rank, result.clicks AS clicks, page.url AS url
ORDER BY freq DESC, search, rank, url
LIMIT $limit
