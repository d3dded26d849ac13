// name: Leave one link of each pair of pages
// params: none
// store: neo4j
// The heaviest stays, as across loads the larger weight does; with anchors of another where it has none.
MATCH (a:Page)
CALL (a) {
  MATCH (a)-[r:LINKS_TO]->(b:Page)
  WITH b, r ORDER BY coalesce(r.weight, 1.0) DESC
  WITH b, collect(r) AS links WHERE size(links) > 1
  WITH head(links) AS kept, tail(links) AS others
  SET kept.anchors = coalesce(kept.anchors, head([r IN others WHERE r.anchors IS NOT NULL | r.anchors]))
  FOREACH (r IN others | DELETE r)
} IN TRANSACTIONS OF 1000 ROWS
