// name: Add links
// params: $source, $first, $target, $weight, $anchors
// store: neo4j
// The targets of $source[i] are $target[$first[i]] to $target[$first[i + 1] - 1]: each source is looked up once.
// $anchors is empty where no link of the batch has any.
UNWIND range(0, size($source) - 1) AS i
MATCH (a:Page {id: $source[i]})
UNWIND range($first[i], $first[i + 1] - 1) AS j
MATCH (b:Page {id: $target[j]})
CREATE (a)-[:LINKS_TO {weight: $weight[j], anchors: $anchors[j]}]->(b)
RETURN count(*) AS written
