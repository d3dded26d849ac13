// name: Loads that were cut off
// params: $limit = 25
// store: both
// A table: loads that began and did not end. Repeating the same load completes it and harms nothing.
MATCH (load:`Load`)
WHERE load.state <> 'done'
RETURN load.source AS source, load.state AS state, load.started AS started
ORDER BY started, source
LIMIT $limit
