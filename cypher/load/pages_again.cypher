// name: Add pages that may be there
// params: $id, $url, $source_id, $status, $names, $columns
// store: neo4j
// For a batch whose first try lost the connection while it committed: nobody knows whether it did.
UNWIND range(0, size($id) - 1) AS i
MERGE (p:Page {id: $id[i]})
SET p.url = $url[i], p.source_id = $source_id[i], p.status = $status[i]
FOREACH (k IN range(0, size($names) - 1) | SET p[$names[k]] = $columns[k][i])
