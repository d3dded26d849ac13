// name: Take the right to write, where nobody has it
// params: $owner, $who, $place, $process, $dead, $silent
// store: neo4j
// The node is locked by the first SET, before its owner is read: of two that ask at once one waits for the other. Who has
// given no sign of life for $silent milliseconds has lost it, and so has $dead, which the asker knows to have ended.
MERGE (w:SeedrankSchema {name: 'writer'})
SET w.asked = timestamp()
WITH w, w.owner IS NULL OR w.owner = $dead OR coalesce(w.beat, 0) < timestamp() - $silent AS free
FOREACH (_ IN CASE WHEN free THEN [1] ELSE [] END |
  SET w.owner = $owner, w.who = $who, w.place = $place, w.process = $process, w.since = timestamp(), w.beat = timestamp())
RETURN w.owner AS owner, w.who AS who, w.place AS place, w.process AS process,
       timestamp() - coalesce(w.since, 0) AS since, timestamp() - coalesce(w.beat, 0) AS silent
