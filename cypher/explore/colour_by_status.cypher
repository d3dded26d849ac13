// name: Colour pages by status
// params: none
// store: neo4j
// writes: true
// It writes: pages of the frontier and missing ones get a label of that name, which Browser's style has a colour for.
// Browser colours by labels alone. It is one transaction; repeat it after a load.
MATCH (page:Page)
WHERE page.status IN ['frontier', 'missing'] OR page:Frontier OR page:Missing
REMOVE page:Frontier:Missing
FOREACH (_ IN CASE WHEN page.status = 'frontier' THEN [1] ELSE [] END | SET page:Frontier)
FOREACH (_ IN CASE WHEN page.status = 'missing' THEN [1] ELSE [] END | SET page:Missing)
RETURN page.status AS status, count(*) AS pages
ORDER BY status
LIMIT 10
