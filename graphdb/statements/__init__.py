"""The front end of `query`: a statement's tokens, what it may do, and its tree of clauses, patterns and expressions.

tokens   words, names, strings, numbers and signs, with their places
guard    what a statement may do, decided on its tokens; for both databases
reader   clauses; expressions and patterns below it: for the embedded store, which translates what was read
tree     what was read
"""

from seedrank.graphdb.statements.guard import EMBEDDED, NEO4J, check
from seedrank.graphdb.statements.reader import read
from seedrank.graphdb.statements.tokens import Refused

__all__ = ["EMBEDDED", "NEO4J", "Refused", "check", "read"]
