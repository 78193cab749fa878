"""Queued simulations: `services` takes requests, `runs` claims and finishes work, `embedded` and `tasks` perform it."""
