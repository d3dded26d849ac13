// name: The most clicked or viewed pages and who links to them
// params: $limit = 25
// store: both
// A picture: the $limit pages that searchers click most, by views where no clicks are known, each with the links a crawler
// could have found it by.
MATCH (page:Page)
WITH page, coalesce(page.clicks, page.views, 0) AS wanted
WHERE wanted > 0
WITH page, wanted
ORDER BY wanted DESC, page.id
LIMIT $limit
OPTIONAL MATCH (source:Page)-[link:LINKS_TO]->(page)
RETURN page, link, source
ORDER BY wanted DESC, page.id, source.id
LIMIT 500
