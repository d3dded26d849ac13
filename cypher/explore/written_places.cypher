// name: Pages by a number that --write wrote, the smallest first
// params: $column, $limit = 25
// store: neo4j
// A table: seeds and crawl orders count from 1, so these are the first of them.
MATCH (page:Page)
WHERE page[$column] IS NOT NULL
RETURN page[$column] AS value, page.id AS id, page.url AS url, page.status AS status
ORDER BY value, id
LIMIT $limit
