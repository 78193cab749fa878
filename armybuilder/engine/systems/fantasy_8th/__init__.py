"""Warhammer Fantasy Battles, 8th edition.

| concern | module |
|---|---|
| the army document | `army.py` |
| magic items, lores, weapons of the rulebook | `reference.py`, `magic_items.toml`, `lores.toml` |
| all its parts as one value; words of its matchups; yardsticks | `game.py`, `words.toml`, `target_profiles.toml` |
| `list_rules/` | |
| the rule table | `rules.py`, `rules.toml` |
| General, units, percentages, duplicates, army standard | `composition.py` |
| lores and spells | `wizards.py` |
| who may carry which magic item | `magic_items.py` |
| characters in units, front rank | `joining.py` |
| ordinary weapons and armour | `equipment.py` |
| races and levels of allied armies | `alliances.py` |
| fortitude, watchtower, ambushers | `scenarios.py` |
| conventions outside the text (WFX) | `conventions.py` |
| what a list shows unasked: shares, fortitude, General | `summary.py` |
| `roster/` | |
| a roster as the army document, and as fighters | `army_document.py`, `fighters.py` |
| which unit, category or profile of the data is what | `units.py`, `recognition.py`, `data_limits.py` |
| `combat/` | |
| the matchup document, kinds of simulation | `../matchup.py`, `simulations.py` |
| special rules: a row each, printed ones read | `special_rules.toml`, `special_rules.py` |
| how magic items count: a row each | `items.toml`, `items.py` |
| spells and terrain in effect: a row each | `effects.toml`, `effects.py` |
| what is in force on a unit, and what of it a kind reads | `rules_in_force.py`, `stat_modifiers.py` |
| weapons in use | `weapons.py` |
| one attack: rolls to hit and to wound, saves | `attacks.py`, `saves.py`, `melee_attackers.py`, `special_hits.py` |
| who fights, casualties, blows in their order | `formation.py`, `casualties.py`, `joined_units.py`, `melee.py` |
| melee and attack counts; whole rounds, buildings, war machines | `close_combat.py`, `combat_round.py` |
| combat result, ranks, break tests | `combat_result.py` |
| leadership; fear and terror; panic | `leadership.py`, `psychology.py`, `panic.py` |
| shooting | `shooting.py`, `salvos.py` |
| spells; dice of the magic phase | `spells.py`, `spell_book.py`, `magic_phase.py` |
| charges, pursuit, terrain; misfires and shares of hits | `movement.py`, `hazards.py` |
| tests of a few dice, enumerated or rolled | `experiments.py` |
| units of two lists that meet; whole battles | `list_matchup.py`, `model_notes.py`, `battle.py` |
| a unit as combat sees it | `fighter.py` |
"""
