// name: All runs
// params: $limit = 25
// store: both
// A table: what was asked of this graph, the latest first, and how many pages of the answer were saved here.
MATCH (r:Run)
OPTIONAL MATCH (r)-[ranked:RANKED]->(:Page)
RETURN r.id AS run, r.method AS method, r.engine AS engine, r.created AS created, r.seconds AS seconds,
       count(ranked) AS pages
ORDER BY created DESC, run DESC
LIMIT $limit
