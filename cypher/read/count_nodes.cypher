// name: Count all nodes, of whatever label
// params: none
// store: neo4j
// From the database's counters; the nodes that only describe the schema do not count.
// Schema: as version 0.2 called them.
RETURN COUNT { MATCH (n) RETURN n } - COUNT { MATCH (s:SeedrankSchema) RETURN s } - COUNT {
  MATCH (s:`Schema`)
  WHERE s.name = 'columns' AND s.pages IS NOT NULL OR s.name STARTS WITH 'turn' AND s.load IS NOT NULL
  RETURN s
} AS nodes
