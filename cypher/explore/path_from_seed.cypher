// name: The path from a seed to a page
// params: $url
// store: both
// A picture: from which seed of the latest seed run, and by which links, a page is reached in the fewest steps.
MATCH (run:Run)
WHERE run.method STARTS WITH 'seeds' AND EXISTS { MATCH (run)-[:RANKED]->(:Page) }
WITH run
ORDER BY run.created DESC, run.id DESC
LIMIT 1
MATCH (page:Page {url: $url})
MATCH (run)-[ranked:RANKED]->(seed:Page)
MATCH path = SHORTEST 1 (seed)-[:LINKS_TO]->{0,10}(page)
RETURN path
ORDER BY length(path), ranked.rank
LIMIT 1
