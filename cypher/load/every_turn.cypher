// name: Take every lane's turn
// params: $load, $lanes
// store: neo4j
// A load that begins does so once before it looks at what is there: the last transactions of a load that was killed have
// then ended, one way or the other. It makes the nodes too, so that there is one to wait for from the first transaction on.
UNWIND $lanes AS name
MERGE (s:SeedrankSchema {name: name})
SET s.load = $load
WITH count(*) AS made
MATCH (lane:SeedrankSchema)
WHERE lane.name STARTS WITH 'turn '
SET lane.load = $load
