// name: Put pages into a run's ranking
// params: $run, $id, $rank, $score
// store: neo4j
UNWIND range(0, size($id) - 1) AS i
MATCH (r:Run {id: $run})
MATCH (p:Page {id: $id[i]})
MERGE (r)-[x:RANKED {rank: $rank[i]}]->(p)
SET x.score = $score[i]
