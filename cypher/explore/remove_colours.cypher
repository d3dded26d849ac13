// name: Remove the colours
// params: none
// store: neo4j
// It writes: takes away the labels that the two before have given, and nothing else.
MATCH (page:Frontier|Missing|ScoreHigh|ScoreMiddle|ScoreLow)
REMOVE page:Frontier:Missing:ScoreHigh:ScoreMiddle:ScoreLow
RETURN count(*) AS pages
LIMIT 1
