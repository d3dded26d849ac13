"""When to come back: how often pages change, how often to fetch each, and which to fetch now."""
