// name: Add results of searches
// params: $rows
// store: ladybug
// The first two columns are the ends.
COPY RESULT(rank, clicks) FROM $rows
