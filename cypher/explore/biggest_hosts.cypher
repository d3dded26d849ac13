// name: The biggest hosts
// params: $limit = 25
// store: both
// A table: which sites fill the graph. A host with far more pages than the others is often a calendar or a shop's filters.
MATCH (h:Host)
RETURN h.name AS host, h.pages AS pages
ORDER BY pages DESC, host
LIMIT $limit
