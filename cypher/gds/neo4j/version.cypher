// name: Version of the Graph Data Science library
// params: none
// store: neo4j
// Not gds.version(): the library answers that on a server it was not made for, and fails every call.
CALL gds.debug.sysInfo() YIELD key, value
WHERE key = 'gdsVersion'
RETURN toString(value) AS version
