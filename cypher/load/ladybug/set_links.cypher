// name: Change links
// params: $rows
// store: ladybug
LOAD FROM $rows
MATCH (a:Page {id: source})-[r:LINKS_TO]->(b:Page {id: target})
SET r.weight = coalesce(weight, r.weight)
