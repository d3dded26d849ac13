// name: Memory PageRank will take
// params: $name, $concurrency
// store: neo4j
CALL gds.pageRank.mutate.estimate($name, {mutateProperty: 'score', concurrency: $concurrency})
YIELD bytesMin
RETURN bytesMin AS bytes
