// name: The shortest paths from a page to a page
// params: $from, $to, $limit
// store: neo4j
// A picture: how a reader, or a crawler, gets from one page to the other in the fewest steps, at most ten.
MATCH path = allShortestPaths((source:Page {url: $from})-[:LINKS_TO*..10]->(target:Page {url: $to}))
RETURN path
LIMIT $limit
