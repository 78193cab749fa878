"""The JSON door: DRF views over the same services and queries that the pages use."""
