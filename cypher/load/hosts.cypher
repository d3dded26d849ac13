// name: Add or change hosts
// params: $name, $pages
// store: neo4j
UNWIND range(0, size($name) - 1) AS i
MERGE (h:Host {name: $name[i]})
SET h.pages = coalesce($pages[i], h.pages)
