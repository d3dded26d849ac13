// name: Runs that were written into the database
// params: none
// store: neo4j
// Runs of seedrank have a version; nodes without one belong to other programs.
MATCH (r:Run)
WHERE r.version IS NOT NULL
RETURN r.id AS id, r.method AS method, r.parameters AS parameters, r.graph AS graph, r.engine AS engine,
       r.version AS version, r.created AS created, r.seconds AS seconds
ORDER BY id
