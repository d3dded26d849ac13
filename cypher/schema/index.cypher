// name: An index of a property
// params: none
// store: neo4j
CREATE INDEX {{index}} IF NOT EXISTS
FOR (n:{{label}}) ON (n.{{property}})
