// name: Mark the schema's version
// params: none
// store: ladybug
// A comment takes no parameter. It is made last: a store without it is not ours.
COMMENT ON TABLE Page IS 'seedrank schema {{VERSION}}'
