// name: Record that a load begins
// params: $id, $source, $sha256, $started, $counts, $level, $first
// store: neo4j
// A load that is repeated keeps its place in the order of loads.
OPTIONAL MATCH (earlier:`Load`)
WITH coalesce(max(earlier.seq), 0) + 1 AS next
MERGE (l:`Load` {id: $id})
ON CREATE SET l.seq = next, l.first = $first
SET l.source = $source, l.sha256 = $sha256, l.state = 'running', l.started = $started, l.counts = $counts,
    l.level = $level
