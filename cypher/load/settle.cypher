// name: Keep how many transactions others have written
// params: $others
// store: neo4j
// A load that ends knows all of them: the graph it leaves is a new version anyway.
MERGE (s:SeedrankSchema {name: 'answers'})
SET s.others = $others
