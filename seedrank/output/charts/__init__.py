"""Charts as data, and the SVG drawn from them."""
