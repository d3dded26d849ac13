// name: Give seedrank's own records of version 0.2 their label
// params: none
// store: neo4j
// They were called Schema, as others call nodes of theirs.
MATCH (s:`Schema`)
WHERE s.name = 'columns' AND s.pages IS NOT NULL OR s.name =~ 'turn( [0-9]+)?' AND s.load IS NOT NULL
SET s:SeedrankSchema
REMOVE s:`Schema`
