// name: Add virtual links
// params: $rows
// store: ladybug
// The first two columns are the ends.
COPY CO_CITED(weight) FROM $rows
