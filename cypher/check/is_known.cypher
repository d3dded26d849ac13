// name: Whether seedrank loaded anything into the database
// params: none
// store: neo4j
// Every load leaves a record before its first page. It has a digest; nodes without one belong to other programs.
RETURN EXISTS { MATCH (l:`Load`) WHERE l.sha256 IS NOT NULL } AS known
