// name: Take a lane's turn and count a change
// params: $load, $name
// store: neo4j
// In the transaction of every change: a reader sees both or neither. See load/turn.
MERGE (s:SeedrankSchema {name: $name})
SET s.load = $load, s.changes = coalesce(s.changes, 0) + 1, s.transactions = coalesce(s.transactions, 0) + 1
