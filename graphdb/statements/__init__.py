"""The front end of `query`: a statement's tokens, what it may do, and its tree of clauses, patterns and expressions.

tokens      words, names, strings, numbers and signs, with their places
guard       what a statement may do, decided on its tokens; for both databases
reader      clauses; expressions and patterns below it: for the embedded database, which is sent what was read
tree, text  a statement as a tree, and back
"""

from graphdb.statements.guard import LADYBUG, NEO4J, check
from graphdb.statements.reader import read
from graphdb.statements.text import statement_text
from graphdb.statements.tokens import Refused

__all__ = ["LADYBUG", "NEO4J", "Refused", "check", "read", "statement_text"]
