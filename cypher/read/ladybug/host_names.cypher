// name: Names of hosts
// params: none
// store: ladybug
MATCH (h:Host)
RETURN h.name AS name
