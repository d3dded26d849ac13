// name: Give a sign of life while writing
// params: $owner
// store: neo4j
MATCH (w:SeedrankSchema {name: 'writer'})
WHERE w.owner = $owner
SET w.beat = timestamp()
