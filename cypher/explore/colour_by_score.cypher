// name: Colour the pages of the latest run by score
// params: none
// store: neo4j
// writes: true
// It writes: a page gets the label ScoreHigh from half of the best score, ScoreMiddle from a tenth, else ScoreLow.
// Labels of an earlier run stay: remove them first.
MATCH (run:Run)
WHERE EXISTS { MATCH (run)-[:RANKED]->(:Page) }
WITH run
ORDER BY run.created DESC, run.id DESC
LIMIT 1
MATCH (run)-[first:RANKED]->(:Page)
WITH run, max(first.score) AS best
MATCH (run)-[ranked:RANKED]->(page:Page)
WITH page, CASE WHEN ranked.score >= best / 2 THEN 'high' WHEN ranked.score >= best / 10 THEN 'middle' ELSE 'low' END
     AS score
FOREACH (_ IN CASE WHEN score = 'high' THEN [1] ELSE [] END | SET page:ScoreHigh)
FOREACH (_ IN CASE WHEN score = 'middle' THEN [1] ELSE [] END | SET page:ScoreMiddle)
FOREACH (_ IN CASE WHEN score = 'low' THEN [1] ELSE [] END | SET page:ScoreLow)
RETURN score, count(*) AS pages
ORDER BY pages, score
LIMIT 10
