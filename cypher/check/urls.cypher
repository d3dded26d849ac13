// name: URLs that are there twice
// params: none
// store: neo4j
MATCH (p:Page) WHERE p.url IS NOT NULL
RETURN count(*) - count(DISTINCT p.url) AS found
