"""docs/reproduction.md and docs/findings.md from recorded graphs: ``python -m docs.reproduction WORK``."""
