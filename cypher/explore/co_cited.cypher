// name: Pages cited together with a page
// params: $url, $limit = 25
// store: both
// A table: pages that the same pages link to, by how many do. They tend to be about the same thing.
MATCH (page:Page {url: $url})<-[:LINKS_TO]-(citing:Page)-[:LINKS_TO]->(other:Page)
WHERE other.id <> page.id
RETURN other.id AS id, other.url AS url, count(*) AS cited_together
ORDER BY cited_together DESC, id
LIMIT $limit
