// name: Remove the colours
// params: none
// store: neo4j
// writes: true
// It writes: takes away the labels of colour_by_status and colour_by_score from pages, and nothing else.
MATCH (page:Page&(Frontier|Missing|ScoreHigh|ScoreMiddle|ScoreLow))
REMOVE page:Frontier:Missing:ScoreHigh:ScoreMiddle:ScoreLow
RETURN count(*) AS pages
LIMIT 1
