// name: Stop the statement of a job
// params: $stop
// store: neo4j
// Its own transaction is listed too: a parameter named job would stop it before the other.
SHOW TRANSACTIONS YIELD transactionId AS id, parameters AS given
WHERE given.job = $stop
TERMINATE TRANSACTIONS id YIELD message
RETURN message
