// name: Record that a load is done
// params: $id
// store: neo4j
MATCH (l:`Load` {id: $id})
SET l.state = 'done'
