// name: Relationships of others at our nodes
// params: none
// store: neo4j
MATCH (n:Page|Host|`Query`|Run)-[r]-()
WHERE NOT r:LINKS_TO|`ON`|RESULT|RANKED|CORE|CO_CITED
RETURN count(r) AS found, collect(DISTINCT type(r))[..3] AS types
