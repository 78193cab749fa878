"""The HTML door: views parse and render, `viewers` says who asks, `problems` turns errors into pages."""
