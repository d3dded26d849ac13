// name: How much there is
// params: none
// store: neo4j
// Each of these is answered by the database's own counters.
RETURN
  COUNT { (:Page) } AS pages,
  COUNT { ()-[:LINKS_TO]->() } AS links,
  COUNT { (:Host) } AS hosts,
  COUNT { (:`Query`) } AS queries,
  COUNT { ()-[:RESULT]->() } AS results
