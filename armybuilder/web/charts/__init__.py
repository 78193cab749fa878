"""Geometry of the site's own charts: numbers in, ready coordinates out; `pictures` makes files of their own of them."""
