// name: Project the links between hosts or domains, each with how many pages link
// params: $name, $node, $concurrency, $job
// store: neo4j
MATCH (a:Host)
WITH a, $node[a.name] AS source
OPTIONAL MATCH (a)<-[:ON]-(p:Page)-[:LINKS_TO]->(:Page)-[:ON]->(b:Host)
WHERE $node[b.name] <> source
WITH source, $node[b.name] AS target, toFloat(count(DISTINCT p)) AS weight
RETURN gds.graph.project($name, source, target, {relationshipProperties: {weight: weight}},
  {readConcurrency: $concurrency, jobId: $job}).relationshipCount AS links
