"""How central pages and hosts are."""
