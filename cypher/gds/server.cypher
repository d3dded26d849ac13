// name: Heap and cores of the server
// params: none
// store: neo4j
CALL gds.debug.sysInfo() YIELD key, value
WHERE key IN ['heapMaxInBytes', 'availableCPUs']
RETURN key, value
