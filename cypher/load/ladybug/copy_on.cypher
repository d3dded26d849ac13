// name: Put pages on hosts
// params: $rows
// store: ladybug
COPY `ON` FROM $rows
