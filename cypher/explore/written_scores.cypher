// name: Pages by a number that --write wrote, the largest first
// params: $column, $limit = 25
// store: neo4j
// A table: scores of a ranking or of the frontier, with how many pages link to each.
MATCH (page:Page)
WHERE page[$column] IS NOT NULL
RETURN page[$column] AS value, page.id AS id, page.url AS url, page.status AS status,
  COUNT { (page)<-[:LINKS_TO]-(:Page) } AS in_links
ORDER BY value DESC, id
LIMIT $limit
