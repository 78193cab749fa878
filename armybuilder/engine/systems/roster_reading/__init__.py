"""What reading a roster is to every game; a game gives its recognition tables and says what becomes of the result.

`points_cost.py` says which cost is points, `parts.py` which selections belong to which unit, `loadouts.py` what the
models of a unit carry, `notes.py` what was not recognised (BS-05), `army_reading.py` what comes of it all;
`unit_references.py` is how facts of a stored list name its units.
"""
