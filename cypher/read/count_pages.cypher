// name: How many pages
// params: none
// store: both
MATCH (:Page)
RETURN count(*) AS count
