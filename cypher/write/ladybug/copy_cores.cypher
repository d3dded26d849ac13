// name: Add the cores of a run
// params: $rows
// store: ladybug
// The first two columns are the ends.
COPY CORE(n, role) FROM $rows
