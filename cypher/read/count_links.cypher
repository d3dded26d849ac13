// name: How many links
// params: none
// store: both
MATCH ()-[r:LINKS_TO]->()
RETURN count(*) AS count
