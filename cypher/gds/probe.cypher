// name: A projection of two nodes, to see whether the library works
// params: $name
// store: neo4j
UNWIND [0, 1] AS node
RETURN gds.graph.project($name, node, 1 - node, {}, {readConcurrency: 1}).relationshipCount AS links
