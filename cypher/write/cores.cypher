// name: Put pages into a run's cores
// params: $run, $id, $n, $role
// store: neo4j
UNWIND range(0, size($id) - 1) AS i
MATCH (r:Run {id: $run})
MATCH (p:Page {id: $id[i]})
MERGE (r)-[:CORE {n: $n[i], role: $role[i]}]->(p)
