// name: The largest groups of pages with one number that --write wrote
// params: $column, $limit = 25
// store: neo4j
// A table: components (of stats --write) and cores (of seeds cores --write), each with its size and its first page.
MATCH (page:Page)
WHERE page[$column] IS NOT NULL
WITH page[$column] AS value, page
ORDER BY page.id
WITH value, count(*) AS pages, collect(page.url)[0] AS such_as
RETURN value, pages, such_as
ORDER BY pages DESC, value
LIMIT $limit
