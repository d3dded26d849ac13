// name: Set a property of nodes
// params: $element, $values
// store: neo4j
// A null removes the property.
UNWIND range(0, size($element) - 1) AS i
MATCH (n) WHERE elementId(n) = $element[i]
SET n.{{column}} = $values[i]
