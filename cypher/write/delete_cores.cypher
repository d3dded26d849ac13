// name: Forget the cores of a run
// params: $id
// store: both
MATCH (:Run {id: $id})-[r:CORE]->(:Page)
DELETE r
