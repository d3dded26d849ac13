// name: Take a lane's turn to write a load
// params: $load, $name
// store: neo4j
// Every transaction of a load holds the lock of a node: turn, or that of the lane it writes links in (turn 0, turn 1).
MERGE (s:SeedrankSchema {name: $name})
SET s.load = $load, s.transactions = coalesce(s.transactions, 0) + 1
