// name: Change links
// params: $source, $first, $target, $weight, $anchors
// store: neo4j
// A null leaves a value as it is.
UNWIND range(0, size($source) - 1) AS i
MATCH (a:Page {id: $source[i]})
UNWIND range($first[i], $first[i + 1] - 1) AS j
MATCH (b:Page {id: $target[j]})
MATCH (a)-[r:LINKS_TO]->(b)
SET r.weight = coalesce($weight[j], r.weight), r.anchors = coalesce($anchors[j], r.anchors)
