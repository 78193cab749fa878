"""Warhammer 40,000, 6th edition: data entry and battle actions by the rules text, lists by the published game.

| concern | module |
|---|---|
| the army document | `army.py` |
| values outside the printed tables | `data_entry.py` |
| moving, shooting, charging, focus fire, Look Out Sir | `battle_actions.py` |
| shooting: volleys, allocation to the nearest, Look Out Sir | `shooting.py`, `volleys.py`, `allocation.py` |
| detachments, slots, allies, warlord (W6L, off by default) | `published_lists.py`, `allies.py` |
| rosters of game data seen as that document | `from_roster.py`, `roster_units.py`, `recognition.py` |
"""
