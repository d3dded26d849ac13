// name: Memory strong components will take
// params: $name, $concurrency
// store: neo4j
CALL gds.scc.stream.estimate($name, {concurrency: $concurrency})
YIELD bytesMin
RETURN bytesMin AS bytes
