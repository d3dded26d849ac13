// name: Unique texts of queries
// params: none
// store: neo4j
CREATE CONSTRAINT query_text IF NOT EXISTS
FOR (n:`Query`) REQUIRE n.text IS UNIQUE
