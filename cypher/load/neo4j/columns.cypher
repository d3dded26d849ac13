// name: Keep the names and types of columns
// params: $pages, $hosts
// store: neo4j
// Neo4j does not know the columns of a label: this node does.
MERGE (s:SeedrankSchema {name: 'columns'})
SET s.pages = $pages, s.hosts = $hosts
