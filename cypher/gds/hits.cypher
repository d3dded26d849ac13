// name: HITS
// params: $name, $iterations, $concurrency, $job
// store: neo4j
CALL gds.hits.stream($name, {hitsIterations: $iterations, concurrency: $concurrency, jobId: $job})
YIELD nodeId, values
WITH nodeId / 200000 AS part, collect(nodeId) AS node, collect(values.hub) AS hub, collect(values.auth) AS authority
RETURN node, hub, authority
