// name: Keep a property of a label unique
// params: none
// store: neo4j
CREATE CONSTRAINT {{constraint}} IF NOT EXISTS
FOR (n:{{label}}) REQUIRE n.{{property}} IS UNIQUE
