// name: Unique ids of loads
// params: none
// store: neo4j
CREATE CONSTRAINT load_id IF NOT EXISTS
FOR (n:`Load`) REQUIRE n.id IS UNIQUE
