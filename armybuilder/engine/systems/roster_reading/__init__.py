"""What reading a roster is to every game; a game gives its recognition tables and says what becomes of the result.

| file | what it says |
|---|---|
| `points_cost.py` | which cost is points |
| `parts.py` | which selections belong to which unit |
| `loadouts.py` | what the models of a unit carry |
| `counted_names.py` | how many things a name says it is: "2x Heavy Bolters" |
| `notes.py` | what was not recognised (BS-05) |
| `army_reading.py` | what comes of it: the army document, and where each part is from |
| `unit_references.py` | how facts of a stored list name its units |
"""
