// name: Put pages on their hosts
// params: $id, $host, $names
// store: neo4j
// $host has, for each page, the place of its host in $names: a host is sent once per batch.
// A page is on one host, so what was there goes; that makes the statement safe to repeat.
UNWIND range(0, size($id) - 1) AS i
MATCH (p:Page {id: $id[i]})
MATCH (h:Host {name: $names[$host[i]]})
CALL (p) {
  MATCH (p)-[old:ON]->(:Host)
  DELETE old
}
CREATE (p)-[:ON]->(h)
RETURN count(*) AS written
