// name: Record a run
// params: $id, $method, $parameters, $graph, $engine, $version, $created, $seconds
// store: neo4j
MERGE (r:Run {id: $id})
SET r.method = $method, r.parameters = $parameters, r.graph = $graph, r.engine = $engine,
    r.version = $version, r.created = $created, r.seconds = $seconds
