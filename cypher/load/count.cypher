// name: Count a transaction of seedrank that leaves the graph as it is
// params: $transactions
// store: neo4j
// In the transaction itself: what the database counts beyond these is written by others (read/changes).
MERGE (s:SeedrankSchema {name: 'answers'})
SET s.transactions = coalesce(s.transactions, 0) + $transactions
