// name: Add links
// params: $rows
// store: ladybug
// The first two columns are the ends.
COPY LINKS_TO({{columns}}) FROM $rows
