"""The papers' experiments, and the claims they are judged by."""
