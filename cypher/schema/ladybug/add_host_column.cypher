// name: Add a host column
// params: none
// store: ladybug
ALTER TABLE Host ADD IF NOT EXISTS {{column}} {{TYPE}}
