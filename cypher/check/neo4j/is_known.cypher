// name: Whether seedrank loaded anything into the database
// params: none
// store: neo4j
// Every load leaves a record before its first page. Ours have a digest; others may call nodes of theirs Load.
RETURN EXISTS { MATCH (l:`Load`) WHERE l.sha256 IS NOT NULL } AS known
