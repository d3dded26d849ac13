// name: Pages by status
// params: none
// store: neo4j
CREATE INDEX page_status IF NOT EXISTS
FOR (n:`Page`) ON (n.status)
