// name: Delete our nodes
// params: none
// store: neo4j
// By a property that each node of seedrank has: nodes of others with these labels stay.
// Without DETACH: a relationship of others is an error.
MATCH (n:Page|Host|`Query`|Run|`Load`)
WHERE (n:Page AND n.id IS NOT NULL) OR (n:Host AND n.pages IS NOT NULL) OR (n:`Query` AND n.text IS NOT NULL)
   OR (n:Run AND n.version IS NOT NULL) OR (n:`Load` AND n.sha256 IS NOT NULL)
CALL (n) {
  DELETE n
} IN TRANSACTIONS OF 50000 ROWS
