// name: Links of a range of sources with weights and anchors
// params: $lo, $hi
// store: neo4j
MATCH (a:Page)
USING INDEX SEEK a:Page(id)
WHERE a.id >= $lo AND a.id < $hi
MATCH (a)-[r:LINKS_TO]->(b:Page)
RETURN
  collect(a.id) AS source, collect(b.id) AS target, collect(coalesce(r.weight, 1.0)) AS weight,
  collect(coalesce(r.anchors, [])) AS anchors
