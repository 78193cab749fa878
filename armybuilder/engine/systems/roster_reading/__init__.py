"""What reading a roster is to every game; a game gives its recognition tables and says what becomes of the result.

| file | what it says |
|---|---|
| `points_cost.py` | which cost is points |
| `role_names.py` | which category is which role of a chart |
| `parts.py` | which selections belong to which unit |
| `unit_reader.py` | a unit read once: its models with their rows, what hangs on all of them, what is not understood |
| `arming.py` | groups of a fighter with the weapons they fight with |
| `loadouts.py` | what the models of a unit carry |
| `counted_names.py` | how many things a name says it is: "2x Heavy Bolters" |
| `notes.py` | what was not recognised (BS-05) |
| `army_reading.py` | what comes of it: the army document, and where each part is from |
| `stored_facts.py` | what a stored list says besides its roster, and how it names its units there |
"""
