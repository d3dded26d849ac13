// name: Change searches
// params: $rows
// store: ladybug
LOAD FROM $rows
MATCH (q:`Query` {text: text})
SET q.freq = coalesce(freq, q.freq), q.need = coalesce(need, q.need)
