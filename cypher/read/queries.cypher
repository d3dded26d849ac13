// name: Searches by text
// params: none
// store: both
MATCH (q:`Query`)
RETURN q.text AS text, q.freq AS freq, q.need AS need
ORDER BY text
