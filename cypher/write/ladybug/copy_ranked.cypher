// name: Add the ranked pages of a run
// params: $rows
// store: ladybug
// The first two columns are the ends.
COPY RANKED(rank, score) FROM $rows
