// name: Pages within some hops of each of some pages
// params: $ids
// store: neo4j
// One page at a time, by UNWIND: with `IN $ids` Neo4j 5.26 drops the DISTINCT and counts what two balls share twice.
// Only the ends of paths are used, so the server expands breadth first and visits a page once.
UNWIND $ids AS i
MATCH (s:Page {id: i})
CALL (s) {
  MATCH (s)-[:LINKS_TO*0..{{HOPS}}]->(t:Page)
  RETURN collect(DISTINCT t.id) AS ball
}
RETURN i AS page, ball
