// name: Forget the ranked pages of a run
// params: $id
// store: neo4j
MATCH (:Run {id: $id})-[r:RANKED]->(:Page)
DELETE r
