// name: Add searches
// params: $rows
// store: ladybug
COPY `Query`(text, freq, need) FROM $rows
