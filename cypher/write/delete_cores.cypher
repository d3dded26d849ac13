// name: Forget the cores of a run
// params: $id
// store: neo4j
MATCH (:Run {id: $id})-[r:CORE]->(:Page)
DELETE r
