// name: Unique names of hosts
// params: none
// store: neo4j
CREATE CONSTRAINT host_name IF NOT EXISTS
FOR (n:`Host`) REQUIRE n.name IS UNIQUE
