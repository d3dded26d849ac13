// name: All loads, oldest first
// params: none
// store: neo4j
// Loads of seedrank have a digest; nodes without one belong to other programs.
MATCH (l:`Load`)
WHERE l.sha256 IS NOT NULL
RETURN l.id AS id, l.source AS source, l.sha256 AS sha256, l.state AS state, l.started AS started, l.counts AS counts,
       l.level AS level
ORDER BY l.seq
