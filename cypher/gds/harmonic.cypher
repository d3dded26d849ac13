// name: Harmonic centrality
// params: $name, $concurrency, $job
// store: neo4j
// Over the paths into a page, divided by the number of other nodes.
CALL gds.closeness.harmonic.stream($name, {concurrency: $concurrency, jobId: $job})
YIELD nodeId, score
WITH nodeId / 200000 AS part, collect(nodeId) AS node, collect(score) AS value
RETURN node, value
