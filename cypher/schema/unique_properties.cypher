// name: What constraints keep unique
// params: none
// store: neo4j
// By what they cover: one of another name serves as well, and one with seedrank's name may cover something else.
SHOW CONSTRAINTS YIELD name, type, entityType, labelsOrTypes, properties
WHERE entityType = 'NODE' AND size(properties) = 1 AND (type ENDS WITH 'UNIQUENESS' OR type ENDS WITH 'KEY')
RETURN name, labelsOrTypes[0] AS label, properties[0] AS property
