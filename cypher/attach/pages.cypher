// name: Nodes of a label, as pages of a graph of others
// params: $id, $url, $host, $status, $columns
// store: neo4j
// $url and $host are names of properties, of which the first that a node has counts. A record per node: they come in no
// order that a range could take, and a list of all would not fit into the server's memory.
MATCH (n:{{label}})
RETURN elementId(n) AS element, n[$id] AS id, head([k IN $url WHERE n[k] IS NOT NULL | n[k]]) AS url,
       head([k IN $host WHERE n[k] IS NOT NULL | n[k]]) AS host, n[$status] AS status, [k IN $columns | n[k]] AS columns
