// name: Unique names of seedrank's own records
// params: none
// store: neo4j
CREATE CONSTRAINT seedrank_schema_name IF NOT EXISTS
FOR (n:`SeedrankSchema`) REQUIRE n.name IS UNIQUE
