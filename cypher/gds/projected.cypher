// name: Links of a projection, if it is there
// params: $name
// store: neo4j
CALL gds.graph.list($name) YIELD relationshipCount
RETURN relationshipCount AS links
