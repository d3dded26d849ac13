// name: Take pages off their hosts
// params: $rows
// store: ladybug
LOAD FROM $rows
MATCH (p:Page {id: id})-[r:`ON`]->(:Host)
DELETE r
