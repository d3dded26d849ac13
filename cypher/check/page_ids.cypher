// name: Page ids that are missing, out of range or there twice
// params: none
// store: neo4j
// Where there is no page a row is wanted still.
WITH COUNT { (:Page) } AS pages
OPTIONAL MATCH (p:Page)
WITH pages, count(DISTINCT CASE WHEN p.id >= 0 AND p.id < pages THEN p.id END) AS right
RETURN pages - right AS found
