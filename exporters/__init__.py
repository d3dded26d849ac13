"""A module per target, the mirror of `loaders`: what is exported, a loader reads back.

`targets` registers them, `rows` chooses the pages of a run that are handed over, `export` writes the file.
"""
