// name: Take the turn to write a load
// params: $load
// store: neo4j
// Every transaction of a load holds the lock of this node. A load that begins takes it once before it looks at what is
// there: the last transaction of a load that was killed has then ended, one way or the other.
MERGE (s:`Schema` {name: 'turn'})
SET s.load = $load
