// name: Nodes within some hops of each of some nodes of a projection
// params: $name, $nodes, $hops
// store: neo4j
// A search in one thread: handing a ball to several takes longer than most balls.
UNWIND $nodes AS i
CALL gds.bfs.stream($name, {sourceNode: i, maxDepth: $hops, concurrency: 1}) YIELD nodeIds
RETURN i AS node, nodeIds AS ball
