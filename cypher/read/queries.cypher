// name: Searches from a text on
// params: $first, $limit
// store: neo4j
MATCH (q:`Query`)
WHERE q.text >= $first
WITH q ORDER BY q.text LIMIT $limit
RETURN collect([q.text, q.freq, q.need]) AS rows
