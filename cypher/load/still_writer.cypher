// name: Whether the right to write is still ours
// params: $owner
// store: neo4j
// Asked within each transaction of a load, after it has taken its turn: whoever takes the right over takes every turn
// first, so no transaction of an earlier owner ends after that.
MATCH (w:SeedrankSchema {name: 'writer'})
WHERE w.owner = $owner
RETURN count(w) AS held
