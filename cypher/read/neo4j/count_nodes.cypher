// name: Count all nodes, of whatever label
// params: none
// store: neo4j
// From the database's counters; the nodes that only describe the schema do not count.
RETURN COUNT { MATCH (n) RETURN n } - COUNT { MATCH (s:`Schema`) RETURN s } AS nodes
