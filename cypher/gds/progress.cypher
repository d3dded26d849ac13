// name: How far a job is
// params: $job
// store: neo4j
CALL gds.listProgress($job) YIELD progress
RETURN progress
