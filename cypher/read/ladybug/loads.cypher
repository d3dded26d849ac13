// name: Loads, oldest first
// params: none
// store: ladybug
MATCH (l:`Load`)
RETURN l.id AS id, l.source AS source, l.sha256 AS sha256, l.state AS state, l.started AS started, l.counts AS counts,
       l.level AS level
ORDER BY l.seq
