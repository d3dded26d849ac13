"""A module per input format: each turns files into batches of tables and knows nothing of databases.

`base` is the contract, `text` reads delimited files, `seedrank.ingest.merge` merges and numbers what all formats give.
"""
