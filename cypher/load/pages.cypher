// name: Add pages
// params: $id, $url, $source_id, $status, $names, $columns
// store: neo4j
// Flat lists: a map per page would send every name again. Names of the user's columns are set by key.
UNWIND range(0, size($id) - 1) AS i
CREATE (p:Page {id: $id[i], url: $url[i], source_id: $source_id[i], status: $status[i]})
FOREACH (k IN range(0, size($names) - 1) | SET p[$names[k]] = $columns[k][i])
