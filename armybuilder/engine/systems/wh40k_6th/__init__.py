"""Warhammer 40,000, 6th edition: data entry and battle actions by the rules text, lists by the published game.

| concern | module |
|---|---|
| the army document | `army.py` |
| all its parts as one value; words of its matchups; yardsticks | `game.py`, `words.toml`, `target_profiles.toml` |
| the matchup document, kinds of simulation | `matchup.py` |
| `list_rules/` | |
| values outside the printed tables | `data_entry.py` |
| moving, shooting, charging, focus fire, Look Out Sir | `battle_actions.py` |
| detachments, slots, allies, warlord (W6L, off by default) | `published_lists.py`, `allies.py` |
| the rule table | `rules.py`, `rules.toml` |
| `roster/` | |
| rosters of game data seen as that document | `army_document.py`, `units.py`, `recognition.py` |
| a unit as combat sees it, read from a roster | `fighters.py` |
| `combat/` | |
| shooting: volleys, allocation to the nearest, Look Out Sir | `shooting.py`, `volleys.py`, `wound_allocation.py` |
| the matchup document, kinds of simulation | `simulations.py` |
| special rules: a row each; what an answer says of them | `special_rules.toml`, `special_rules.py`, `model_notes.py` |
| all pairs of units | `matrix.py` |
| a unit as combat sees it, read from a roster | `fighter.py` |
| two lists that meet; whole battles | `list_matchup.py`, `battle.py` |
"""
