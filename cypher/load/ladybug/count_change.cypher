// name: Count a change of the graph
// params: none
// store: ladybug
MERGE (s:`Schema` {name: 'changes'})
ON CREATE SET s.count = 1
ON MATCH SET s.count = s.count + 1
