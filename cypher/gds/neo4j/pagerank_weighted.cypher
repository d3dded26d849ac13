// name: PageRank over weighted links into a projection
// params: $name, $iterations, $tolerance, $damping, $concurrency, $job
// store: neo4j
CALL gds.pageRank.mutate($name, {
  relationshipWeightProperty: 'weight', maxIterations: $iterations, tolerance: $tolerance, dampingFactor: $damping, mutateProperty: 'score',
  concurrency: $concurrency, jobId: $job
}) YIELD ranIterations, didConverge
RETURN ranIterations AS iterations, didConverge AS converged
