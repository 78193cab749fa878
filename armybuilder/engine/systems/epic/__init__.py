"""Epic: formations of units, with characters, transports, war engines and plans written before the game.

| concern | module |
|---|---|
| the army document | `army.py` |
| seats in transports | `boarding.py` |
| all its parts as one value; words of its matchups; yardsticks | `game.py`, `words.toml`, `target_profiles.toml` |
| critical hits of war engines | `criticals.py` |
| the matchup document, kinds of simulation | `matchup.py` |
| `list_rules/` | |
| army size, formations, characters, break points | `composition.py` |
| unit types, damage capacity, stands, rules, weapons | `datasheets.py` |
| who rides in what | `transport.py` |
| garrisons, reserves, planetfall, tunnels | `deployment.py` |
| what an army list allows (EPL) | `army_list.py`, `list_limits.py` |
| seats in transports | `transport.py` |
| the rule table | `rules.py`, `rules.toml` |
| what a list shows unasked | `summary.py` |
| `roster/` | |
| stored lists seen as army documents | `army_document.py`, `formations.py`, `recognition.py`, `rule_texts.py` |
| a unit as combat sees it, read from a roster | `fighters.py` |
| `combat/` | |
| shooting: dice, saves, losses, markers | `firing.py`, `saves.py`, `casualties.py`, `shooting.py` |
| barrages, assaults | `barrage.py`, `assault.py` |
| tests of initiative, rallying, terrain, victory | `nerve.py` |
| the matchup document, kinds of simulation | `simulations.py` |
| special rules: a row each; what an answer says of them | `special_rules.toml`, `special_rules.py`, `model_notes.py` |
| all pairs of formations; who rides in a pair | `matrix.py`, `passengers.py` |
| a unit as combat sees it, read from a roster | `fighter.py` |
| two lists that meet; whole battles | `list_matchup.py`, `battle.py` |
"""
