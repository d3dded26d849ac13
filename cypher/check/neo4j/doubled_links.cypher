// name: Pairs of pages with more than one link
// params: none
// store: neo4j
MATCH (a:Page)-[r:LINKS_TO]->(b:Page)
WITH a, b, count(r) AS links WHERE links > 1
RETURN count(*) AS found
