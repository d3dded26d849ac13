// name: Unique ids of pages
// params: none
// store: neo4j
CREATE CONSTRAINT page_id IF NOT EXISTS
FOR (n:`Page`) REQUIRE n.id IS UNIQUE
