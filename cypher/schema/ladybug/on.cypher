// name: Table of pages on hosts
// params: none
// store: ladybug
CREATE REL TABLE IF NOT EXISTS `ON`(FROM Page TO Host)
