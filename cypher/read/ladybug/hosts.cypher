// name: Hosts by name
// params: none
// store: ladybug
MATCH (h:Host)
RETURN h.{{columns}}
ORDER BY h.name
