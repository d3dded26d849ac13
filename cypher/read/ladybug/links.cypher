// name: Links of some pages
// params: none
// store: ladybug
// The ends of links are the tables' row numbers: asking for b.id joins every link with its target, at six times the cost.
// The fast Arrow results take no parameters.
MATCH (a:Page)-[r:LINKS_TO]->(b:Page)
WHERE a.id >= {{LO}} AND a.id < {{HI}}
RETURN a.id AS source, offset(id(b)) AS target
