// name: Hosts that link to each other most
// params: $limit = 25
// store: both
// A table of pairs of hosts. Many links in one direction and none back is an advertisement; many in both, one owner.
// It reads every link: on a graph of millions it takes its time.
MATCH (a:Host)<-[:`ON`]-(:Page)-[:LINKS_TO]->(:Page)-[:`ON`]->(b:Host)
WHERE a.name <> b.name
WITH CASE WHEN a.name < b.name THEN a.name ELSE b.name END AS host,
     CASE WHEN a.name < b.name THEN b.name ELSE a.name END AS other,
     CASE WHEN a.name < b.name THEN 1 ELSE 0 END AS there
RETURN host, other, sum(there) AS links_there, sum(1 - there) AS links_back, count(*) AS links
ORDER BY links DESC, host, other
LIMIT $limit
