// name: The shortest paths from a page to a page
// params: $source, $target, $limit = 25
// store: both
// A picture: how a reader, or a crawler, gets from one page to the other in the fewest steps, at most ten.
MATCH path = allShortestPaths((start:Page {url: $source})-[:LINKS_TO*..10]->(end:Page {url: $target}))
RETURN path
LIMIT $limit
