"""Epic: formations of units, with characters, transports, war engines and plans written before the game.

| concern | module |
|---|---|
| the army document | `army.py` |
| army size, formations, characters, break points | `composition.py` |
| unit types, damage capacity, stands, rules, weapons | `datasheets.py` |
| who rides in what | `transport.py` |
| garrisons, reserves, planetfall, tunnels | `deployment.py` |
| what an army list allows (EPL) | `army_list.py`, read from imported data by `list_limits.py` |
| stored lists seen as army documents | `from_roster.py`, `roster_formations.py`, `recognition.py`, `rule_texts.py` |
| seats in transports | `transport.py`, `boarding.py` |
| shooting: dice, saves, losses, markers | `firing.py`, `saves.py`, `casualties.py`, `shooting.py` |
| barrages, assaults | `barrage.py`, `assault.py` |
| tests of initiative, rallying, terrain, victory | `nerve.py` |
"""
