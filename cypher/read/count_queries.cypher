// name: How many queries
// params: none
// store: both
MATCH (:`Query`)
RETURN count(*) AS count
