// name: The latest run and its best pages
// params: $limit = 25
// store: both
// A picture: the run in the middle, an arrow to each page it ranked; the arrow has the page's rank and score.
MATCH (run:Run)
WHERE EXISTS { MATCH (run)-[:RANKED]->(:Page) }
WITH run
ORDER BY run.created DESC, run.id DESC
LIMIT 1
MATCH (run)-[ranked:RANKED]->(page:Page)
RETURN run, ranked, page
ORDER BY ranked.rank
LIMIT $limit
