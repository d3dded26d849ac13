// name: Add or change results of searches
// params: $query, $names, $id, $rank, $clicks
// store: neo4j
// $query has, for each result, the place of its search in $names.
UNWIND range(0, size($id) - 1) AS i
MATCH (q:`Query` {text: $names[$query[i]]})
MATCH (p:Page {id: $id[i]})
MERGE (q)-[r:RESULT]->(p)
SET r.rank = coalesce($rank[i], r.rank), r.clicks = coalesce($clicks[i], r.clicks)
