// name: Set a property of hosts
// params: $name, $values
// store: neo4j
UNWIND range(0, size($name) - 1) AS i
MATCH (h:Host {name: $name[i]})
SET h.{{column}} = $values[i]
