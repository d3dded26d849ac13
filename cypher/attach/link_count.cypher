// name: How many relationships of a type there are
// params: none
// store: neo4j
MATCH ()-[r:{{type}}]->()
RETURN count(r) AS links
