// name: Add virtual links
// params: $source, $first, $target, $weight
// store: neo4j
// Shaped like load/links. MERGE, so that a batch can be repeated.
UNWIND range(0, size($source) - 1) AS i
MATCH (a:Page {id: $source[i]})
UNWIND range($first[i], $first[i + 1] - 1) AS j
MATCH (b:Page {id: $target[j]})
MERGE (a)-[r:CO_CITED]->(b)
SET r.weight = $weight[j]
