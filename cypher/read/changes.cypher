// name: How many changes and transactions seedrank has counted
// params: none
// store: neo4j
// Each lane of a load counts its own. $others, kept at the end of a load, is how many transactions others had written by
// then: what the database counts in all, less what seedrank counts of its own.
// Schema: as version 0.2 called them.
MATCH (s:SeedrankSchema|`Schema`)
RETURN sum(CASE WHEN s.load IS NOT NULL AND (s.name = 'turn' OR s.name STARTS WITH 'turn ') THEN coalesce(s.changes, 0) ELSE 0 END)
         AS changes,
       sum(CASE WHEN s:SeedrankSchema THEN coalesce(s.transactions, 0) ELSE 0 END) AS own,
       max(CASE WHEN s:SeedrankSchema THEN s.others END) AS others
