"""Forms by noun: what a page may send, and its words when something is missing."""
