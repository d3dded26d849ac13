// name: Add or change searches
// params: $text, $freq, $need
// store: neo4j
UNWIND range(0, size($text) - 1) AS i
MERGE (q:`Query` {text: $text[i]})
SET q.freq = coalesce($freq[i], q.freq), q.need = coalesce($need[i], q.need)
