"""A slow evaluator of Cypher that is right at sight, over a web in Python's own lists and dictionaries.

It shares nothing with what it judges: the parser is its own. It goes clause by clause and row by row, and tries every
node and every link.
"""

from tests.cypher.brute.graph import Graph, graph_of
from tests.cypher.brute.run import Huge, answer
from tests.cypher.brute.values import Failed

__all__ = ["Failed", "Graph", "Huge", "answer", "graph_of"]
