// name: The strongest virtual links
// params: $limit = 100
// store: both
// A picture of the enriched graph: pages joined because many pages link to both. Empty unless the links were written.
MATCH (page:Page)-[link:CO_CITED]->(other:Page)
RETURN page, link, other
ORDER BY link.weight DESC, page.id, other.id
LIMIT $limit
