// name: Record that a load is done
// params: $id
// store: both
MATCH (l:`Load` {id: $id})
SET l.state = 'done'
