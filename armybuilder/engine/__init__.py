"""The games, and nothing else: no Django, no network, no clock, no global random state.

| to do | call |
|---|---|
| check an army by the rulebook | `check.check(document)` |
| simulate a matchup | `simulate.simulate(request, rng=...)` |
| read .gst and .cat files | `battlescribe_files`, linked by `gamedata.links` into a Library |
| build and validate a roster | `roster.edits`, `roster.evaluate` |
| drive the roster engine from outside | `line_protocol` |
"""
