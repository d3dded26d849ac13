// name: Unique urls of pages
// params: none
// store: neo4j
CREATE CONSTRAINT page_url IF NOT EXISTS
FOR (n:`Page`) REQUIRE n.url IS UNIQUE
