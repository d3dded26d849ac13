// name: Record that a load begins
// params: $id, $source, $sha256, $started, $counts, $level, $seq
// store: ladybug
MERGE (l:`Load` {id: $id})
ON CREATE SET l.seq = $seq
SET l.source = $source, l.sha256 = $sha256, l.state = 'running', l.started = $started, l.counts = $counts,
    l.level = $level
