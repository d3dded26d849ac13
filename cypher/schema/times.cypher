// name: Turn times that 0.2 wrote as text into times
// params: none
// store: neo4j
// In the form in which it wrote them: runs and loads of others keep theirs.
MATCH (n:Run|`Load`)
WITH n, '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[+]00:00' AS ours
FOREACH (time IN [t IN [n.created] WHERE t IS :: STRING NOT NULL AND t =~ ours] | SET n.created = datetime(time))
FOREACH (time IN [t IN [n.started] WHERE t IS :: STRING NOT NULL AND t =~ ours] | SET n.started = datetime(time))
