"""The report: one HTML page that shows a graph, its experiments and its answers."""
