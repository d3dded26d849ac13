// name: Memory HITS will take
// params: $name, $concurrency
// store: neo4j
CALL gds.hits.stream.estimate($name, {concurrency: $concurrency})
YIELD bytesMin
RETURN bytesMin AS bytes
