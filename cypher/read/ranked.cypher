// name: The ranking of a run
// params: $run
// store: neo4j
MATCH (:Run {id: $run})-[x:RANKED]->(p:Page)
RETURN p.id AS id, x.rank AS rank, x.score AS score
ORDER BY rank, id
