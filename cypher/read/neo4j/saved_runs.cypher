// name: Runs that were written into the database
// params: none
// store: neo4j
// Ours have a version; nodes that others call Run are no concern of ours.
MATCH (r:Run)
WHERE r.version IS NOT NULL
RETURN r.id AS id, r.method AS method, r.parameters AS parameters, r.graph AS graph, r.engine AS engine,
       r.version AS version, r.created AS created, r.seconds AS seconds
ORDER BY id
