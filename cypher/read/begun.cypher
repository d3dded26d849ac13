// name: When the first load began
// params: none
// store: neo4j
// None where a load is of a version that did not keep it. A load that is repeated begins anew, its first time stays.
MATCH (l:`Load`)
WHERE l.sha256 IS NOT NULL
RETURN CASE WHEN count(l) = count(l.first) THEN min(l.first) END AS begun
