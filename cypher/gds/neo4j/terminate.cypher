// name: Stop the statement of a job
// params: $job
// store: neo4j
SHOW TRANSACTIONS YIELD transactionId AS id, parameters AS given
WHERE given.job = $job
TERMINATE TRANSACTIONS id YIELD message
RETURN message
