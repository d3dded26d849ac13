// name: Spam and what links to it
// params: $limit = 100
// store: both
// A picture: pages marked as spam with the pages that link to them. Good pages in it were fooled; the rest is a farm.
MATCH (source:Page)-[link:LINKS_TO]->(page:Page)
WHERE page.spam > 0
RETURN source, link, page
ORDER BY page.id, source.id
LIMIT $limit
