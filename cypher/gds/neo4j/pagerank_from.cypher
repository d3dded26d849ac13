// name: PageRank from some nodes into a projection
// params: $name, $sources, $iterations, $tolerance, $damping, $concurrency, $job
// store: neo4j
CALL gds.pageRank.mutate($name, {
  sourceNodes: $sources, maxIterations: $iterations, tolerance: $tolerance, dampingFactor: $damping, mutateProperty: 'score',
  concurrency: $concurrency, jobId: $job
}) YIELD ranIterations, didConverge
RETURN ranIterations AS iterations, didConverge AS converged
