// name: How many hosts
// params: none
// store: both
MATCH (:Host)
RETURN count(*) AS count
