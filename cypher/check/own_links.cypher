// name: Links from a page to itself
// params: none
// store: neo4j
MATCH (p:Page)-[r:LINKS_TO]->(p)
RETURN count(r) AS found
