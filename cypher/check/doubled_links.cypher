// name: Pairs of pages with more than one link
// params: none
// store: neo4j
// Page by page: all pairs at once would not fit into the server's memory.
MATCH (a:Page)
CALL (a) {
  MATCH (a)-[r:LINKS_TO]->(b:Page)
  WITH b, count(r) AS links WHERE links > 1
  RETURN count(*) AS doubled
}
RETURN coalesce(sum(doubled), 0) AS found
