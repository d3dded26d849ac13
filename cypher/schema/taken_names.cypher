// name: Names of indexes
// params: none
// store: neo4j
// Constraints have an index of their own name, and no two of either may have one name.
SHOW INDEXES YIELD name, type, labelsOrTypes, properties
RETURN name, type, labelsOrTypes AS labels, properties
