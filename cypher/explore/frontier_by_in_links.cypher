// name: Frontier pages with the most in-links
// params: $limit = 25
// store: both
// A table: pages that were seen but not fetched, by how many pages link to them; the simplest order to fetch in.
MATCH (:Page)-[:LINKS_TO]->(page:Page {status: 'frontier'})
RETURN page.id AS id, page.url AS url, count(*) AS in_links
ORDER BY in_links DESC, id
LIMIT $limit
