// name: Project the whole graph
// params: $name, $concurrency, $job
// store: neo4j
// Native: several times as fast as a projection by Cypher. `id` says which page a node of the projection is.
CALL gds.graph.project($name, 'Page', 'LINKS_TO', {nodeProperties: ['id'], readConcurrency: $concurrency, jobId: $job})
YIELD relationshipCount
RETURN relationshipCount AS links
