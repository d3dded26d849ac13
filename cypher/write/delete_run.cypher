// name: Forget a run
// params: $id
// store: neo4j
MATCH (r:Run {id: $id})
DETACH DELETE r
