// name: PageRank into a projection
// params: $name, $iterations, $tolerance, $damping, $concurrency, $job
// store: neo4j
// Into the projection, not streamed: only so it tells how many iterations it took and whether it converged.
CALL gds.pageRank.mutate($name, {
  maxIterations: $iterations, tolerance: $tolerance, dampingFactor: $damping, mutateProperty: 'score',
  concurrency: $concurrency, jobId: $job
}) YIELD ranIterations, didConverge
RETURN ranIterations AS iterations, didConverge AS converged
