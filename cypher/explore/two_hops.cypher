// name: Pages within two hops of a page
// params: $url, $limit = 100
// store: both
// A picture: what a crawl that starts at the page finds in two steps.
MATCH path = (start:Page {url: $url})-[:LINKS_TO*1..2]->(page:Page)
WHERE page.id <> start.id
RETURN path
LIMIT $limit
