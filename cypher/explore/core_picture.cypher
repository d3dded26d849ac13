// name: A core of the latest run, hubs against authorities
// params: $core = 1, $limit = 100
// store: both
// A picture with two sides: the hubs of core number $core link to its authorities. A dense block is a community.
MATCH (run:Run)
WHERE EXISTS { MATCH (run)-[:CORE]->(:Page) }
WITH run
ORDER BY run.created DESC, run.id DESC
LIMIT 1
MATCH (run)-[:CORE {n: $core, role: 'hub'}]->(hub:Page)-[link:LINKS_TO]->(authority:Page)
      <-[:CORE {n: $core, role: 'authority'}]-(run)
RETURN hub, link, authority
ORDER BY hub.id, authority.id
LIMIT $limit
