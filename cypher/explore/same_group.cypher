// name: Links inside the component or core of a page
// params: $url, $column, $limit = 100
// store: neo4j
// A picture: pages that --write gave the same number as this one, and the links between them.
MATCH (page:Page {url: $url})
MATCH (a:Page)-[link:LINKS_TO]->(b:Page)
WHERE a[$column] = page[$column] AND b[$column] = page[$column]
RETURN a, link, b
ORDER BY a.id, b.id
LIMIT $limit
