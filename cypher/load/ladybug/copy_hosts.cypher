// name: Add hosts
// params: $rows
// store: ladybug
COPY Host({{columns}}) FROM $rows
