// name: Unique ids of runs
// params: none
// store: neo4j
CREATE CONSTRAINT run_id IF NOT EXISTS
FOR (n:`Run`) REQUIRE n.id IS UNIQUE
