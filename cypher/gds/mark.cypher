// name: Mark nodes of a projection
// params: $name, $nodes, $property, $concurrency
// store: neo4j
// One step of a walk from these nodes leaves 0.5 there and 0 elsewhere: the way to bring a list of nodes into a projection
// without storing anything.
CALL gds.pageRank.mutate($name, {
  sourceNodes: $nodes, maxIterations: 1, dampingFactor: 0.5, mutateProperty: $property, concurrency: $concurrency
}) YIELD nodePropertiesWritten
RETURN nodePropertiesWritten AS nodes
