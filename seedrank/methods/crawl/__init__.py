"""Crawl orders: one push engine, queue orders, and a simulator they share (Alam et al.)."""
