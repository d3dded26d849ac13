"""Crawl orders: one push engine, queue orders, and a simulator they share (paper 002)."""
