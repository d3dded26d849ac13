// name: Relationships from nodes of a label, as links of a graph of others
// params: $weight
// store: neo4j
// Node by node, so that the server holds the links of one at a time.
MATCH (a:{{label}})
CALL (a) {
  MATCH (a)-[r:{{type}}]->(b)
  RETURN collect(elementId(b)) AS targets, collect(coalesce(toFloat(r[$weight]), 1.0)) AS weights
}
WITH a, targets, weights
WHERE size(targets) > 0
RETURN elementId(a) AS source, targets, weights
