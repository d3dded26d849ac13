// name: How many changes were counted
// params: none
// store: ladybug
MATCH (s:`Schema` {name: 'changes'})
RETURN s.count AS count
