// name: How many results
// params: none
// store: both
MATCH ()-[r:RESULT]->()
RETURN count(*) AS count
