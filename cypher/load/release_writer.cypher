// name: Give the right to write back
// params: $owner
// store: neo4j
MATCH (w:SeedrankSchema {name: 'writer'})
WHERE w.owner = $owner
REMOVE w.owner, w.who, w.place, w.process, w.since, w.beat, w.asked
