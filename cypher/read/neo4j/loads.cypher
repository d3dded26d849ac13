// name: All loads, oldest first
// params: none
// store: neo4j
// Ours have a digest; nodes that others call Load are no concern of ours.
MATCH (l:`Load`)
WHERE l.sha256 IS NOT NULL
RETURN l.id AS id, l.source AS source, l.sha256 AS sha256, l.state AS state, l.started AS started, l.counts AS counts,
       l.level AS level
ORDER BY l.seq
