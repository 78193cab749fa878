"""Relic: a hero loadout instead of an army, without points.

| concern | module |
|---|---|
| the hero and the actions | `hero.py` |
| the cards that are on offer | `card_set.py` |
| all its parts as one value | `game.py` |
| the matchup document, kinds of simulation | `matchup.py` |
| `list_rules/` | |
| dials, levels, hand and asset limits, missions, corruption | `limits.py` |
| the hero at the start of the game | `start.py` |
| kits, charges, trophies, power numbers, colours | `cards.py` |
| trades, purchases, evading, discards | `actions.py` |
| the rule table | `rules.py`, `rules.toml` |
| `combat/` | |
| battles and the choice of assets | `battle.py`, `assets.py`, `rolls.py` |
| skill tests | `skill_test.py` |
| rolls without enemies, trophies, corruption | `bookkeeping.py`, `trophies.py` |
| the matchup document, kinds of simulation | `simulations.py` |
"""
