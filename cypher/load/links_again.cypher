// name: Add links that may be there
// params: $source, $first, $target, $weight, $anchors
// store: neo4j
// For a batch whose first try lost the connection while it committed: nobody knows whether it did.
UNWIND range(0, size($source) - 1) AS i
MATCH (a:Page {id: $source[i]})
UNWIND range($first[i], $first[i + 1] - 1) AS j
MATCH (b:Page {id: $target[j]})
MERGE (a)-[r:LINKS_TO]->(b)
SET r.weight = $weight[j], r.anchors = $anchors[j]
RETURN count(*) AS written
