// name: Delete some of the virtual links
// params: $most
// store: neo4j
// Not all in one transaction, and not by transactions of the server's own, which would be counted as those of others.
MATCH (:Page)-[r:CO_CITED]->(:Page)
WITH r LIMIT $most
DELETE r
RETURN count(*) AS deleted
