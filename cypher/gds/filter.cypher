// name: Project the marked or the other nodes of a projection
// params: $name, $from, $nodes, $concurrency, $job
// store: neo4j
CALL gds.graph.filter($name, $from, $nodes, '*', {concurrency: $concurrency, jobId: $job})
YIELD relationshipCount
RETURN relationshipCount AS links
