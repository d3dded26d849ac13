"""Where to start a web crawl, in which order to fetch, and which frontier pages matter."""

__version__ = "0.1.0"
