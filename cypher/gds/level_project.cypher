// name: Project the links between hosts or domains, each with the weights of the page links between them
// params: $name, $node, $concurrency, $job
// store: neo4j
// Nodes of the projection are the numbers that $node has for the names of hosts. A link of pages without a weight weighs 1.
MATCH (a:Host)
WITH a, $node[a.name] AS source
OPTIONAL MATCH (a)<-[:ON]-(:Page)-[r:LINKS_TO]->(:Page)-[:ON]->(b:Host)
WHERE $node[b.name] <> source
WITH source, $node[b.name] AS target, sum(coalesce(r.weight, 1.0)) AS weight
RETURN gds.graph.project($name, source, target, {relationshipProperties: {weight: weight}},
  {readConcurrency: $concurrency, jobId: $job}).relationshipCount AS links
