// name: Strong components
// params: $name, $concurrency, $job
// store: neo4j
CALL gds.scc.stream($name, {concurrency: $concurrency, jobId: $job})
YIELD nodeId, componentId
WITH nodeId / 200000 AS part, collect(nodeId) AS node, collect(componentId) AS value
RETURN node, value
