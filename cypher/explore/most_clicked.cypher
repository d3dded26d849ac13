// name: The most clicked pages and who links to them
// params: $limit = 25
// store: both
// A picture: the $limit pages that searchers click most, each with the links a crawler could have found it by.
MATCH (page:Page)
WHERE page.clicks > 0
WITH page
ORDER BY page.clicks DESC, page.id
LIMIT $limit
OPTIONAL MATCH (source:Page)-[link:LINKS_TO]->(page)
RETURN page, link, source
ORDER BY page.clicks DESC, page.id, source.id
LIMIT 500
