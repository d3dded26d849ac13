"""What every part of the project knows: the graph's schema, URLs, errors, progress. Imports none of it."""
