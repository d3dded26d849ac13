// name: Add pages
// params: $rows
// store: ladybug
COPY Page({{columns}}) FROM $rows
