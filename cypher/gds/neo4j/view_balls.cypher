// name: Nodes within some hops of each of some nodes of a projection
// params: $name, $nodes, $hops, $concurrency
// store: neo4j
UNWIND $nodes AS i
CALL gds.bfs.stream($name, {sourceNode: i, maxDepth: $hops, concurrency: $concurrency}) YIELD nodeIds
RETURN i AS node, nodeIds AS ball
