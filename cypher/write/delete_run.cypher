// name: Forget a run
// params: $id
// store: both
MATCH (r:Run {id: $id})
DETACH DELETE r
