// name: Version of the Graph Data Science library
// params: none
// store: neo4j
// Not gds.version(): a library that was not made for the server may answer that and fail every call.
CALL gds.debug.sysInfo() YIELD key, value
WHERE key = 'gdsVersion'
RETURN toString(value) AS version
