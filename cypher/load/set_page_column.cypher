// name: Set a property of pages
// params: $id, $values
// store: neo4j
// A null removes the property.
UNWIND range(0, size($id) - 1) AS i
MATCH (p:Page {id: $id[i]})
SET p.{{column}} = $values[i]
