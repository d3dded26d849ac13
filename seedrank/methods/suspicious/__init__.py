"""What looks wrong in a graph: link farms, hosts held up by one other, traps for crawlers, mirrors."""
