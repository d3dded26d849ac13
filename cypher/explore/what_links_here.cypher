// name: What links here
// params: $url, $limit = 100
// store: both
// A picture: the pages that link to the page, those that do so most often first.
MATCH (source:Page)-[link:LINKS_TO]->(page:Page {url: $url})
RETURN source, link, page
ORDER BY link.weight DESC, source.id
LIMIT $limit
