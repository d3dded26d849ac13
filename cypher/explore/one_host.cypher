// name: A host, its pages and the links among them
// params: $host, $limit = 100
// store: both
// A picture: how a site hangs together. Pages without an arrow between them are joined to the rest from outside only.
MATCH (host:Host {name: $host})<-[place:`ON`]-(page:Page)
OPTIONAL MATCH (page)-[link:LINKS_TO]->(other:Page)-[:`ON`]->(host)
RETURN host, place, page, link, other
ORDER BY page.id, other.id
LIMIT $limit
