"""Benchmarks: one script a row of the performance table; `make bench` runs them all."""
