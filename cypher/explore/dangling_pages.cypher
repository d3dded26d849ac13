// name: Crawled pages that link nowhere
// params: $limit = 25
// store: both
// A table: dead ends by how many links lead into them. Documents, images, and sites that a crawler was shut out of.
MATCH (page:Page {status: 'crawled'})
WHERE NOT EXISTS { MATCH (page)-[:LINKS_TO]->(:Page) }
OPTIONAL MATCH (source:Page)-[:LINKS_TO]->(page)
RETURN page.id AS id, page.url AS url, count(source.id) AS in_links
ORDER BY in_links DESC, id
LIMIT $limit
