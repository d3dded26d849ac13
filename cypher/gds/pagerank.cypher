// name: PageRank into a projection
// params: $name, $configuration, $job
// store: neo4j
// Into the projection, not streamed: only so it tells how many iterations it took and whether it converged.
WITH $configuration AS configuration
CALL gds.pageRank.mutate($name, configuration {.*, jobId: $job}) YIELD ranIterations, didConverge
RETURN ranIterations AS iterations, didConverge AS converged
