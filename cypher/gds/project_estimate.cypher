// name: Memory a projection will take
// params: $pages, $links, $relationships
// store: neo4j
CALL gds.graph.project.estimate('*', $relationships, {nodeCount: $pages, relationshipCount: $links})
YIELD bytesMin
RETURN bytesMin AS bytes
