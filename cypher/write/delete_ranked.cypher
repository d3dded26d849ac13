// name: Forget the ranked pages of a run
// params: $id
// store: both
MATCH (:Run {id: $id})-[r:RANKED]->(:Page)
DELETE r
