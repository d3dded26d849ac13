// name: Keep the names and types of columns, where they are what they were
// params: $known, $pages, $hosts
// store: neo4j
// Neo4j does not know the columns of a label: this node does. The first SET locks it before it is compared: of two that add
// columns at once the second finds others there, and looks again.
MERGE (s:SeedrankSchema {name: 'columns'})
SET s.asked = timestamp()
WITH s
WHERE coalesce(s.pages, '{}') = $known[0] AND coalesce(s.hosts, '{}') = $known[1]
SET s.pages = $pages, s.hosts = $hosts
RETURN count(s) AS written
