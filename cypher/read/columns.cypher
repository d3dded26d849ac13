// name: Names and types of columns
// params: none
// store: neo4j
// Schema: as version 0.2 called them.
MATCH (s:SeedrankSchema|`Schema` {name: 'columns'})
WHERE s.pages IS NOT NULL
RETURN s.pages AS pages, coalesce(s.hosts, '{}') AS hosts
