"""Which pages to start a crawl from: page value, coverage greedy, SCC methods, baselines, allocation over sites."""
