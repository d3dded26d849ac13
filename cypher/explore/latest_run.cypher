// name: The latest run's answer
// params: $limit = 25
// store: both
// A table: the pages of the ranking that was saved last, best first.
MATCH (run:Run)
WHERE EXISTS { MATCH (run)-[:RANKED]->(:Page) }
WITH run
ORDER BY run.created DESC, run.id DESC
LIMIT 1
MATCH (run)-[ranked:RANKED]->(page:Page)
RETURN run.method AS method, ranked.rank AS rank, ranked.score AS score, page.id AS id, page.url AS url
ORDER BY rank
LIMIT $limit
