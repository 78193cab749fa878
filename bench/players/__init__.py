"""Simulated players against a whole site: `make load`, or `python -m bench.players --help`."""
