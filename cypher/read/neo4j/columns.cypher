// name: Names and types of columns
// params: none
// store: neo4j
MATCH (s:`Schema` {name: 'columns'})
RETURN s.pages AS pages, s.hosts AS hosts
