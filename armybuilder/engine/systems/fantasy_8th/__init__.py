"""Warhammer Fantasy Battles, 8th edition.

| concern | module |
|---|---|
| the army document | `army.py` |
| magic items, lores, weapons of the rulebook | `reference.py`, `magic_items.toml`, `lores.toml` |
| General, units, percentages, duplicates, army standard | `composition.py` |
| lores and spells | `wizards.py` |
| who may carry which magic item | `magic_items.py` |
| characters in units, front rank | `joining.py` |
| ordinary weapons and armour | `equipment.py` |
| camps and levels of allied armies | `alliances.py` |
| fortitude, watchtower, ambushers | `scenarios.py` |
| conventions outside the text (WFX) | `conventions.py` |
| what a list shows unasked: shares, fortitude, General | `at_a_glance.py` |
| a roster as the army document | `from_roster.py`, `roster_units.py`, `recognition.py`, `data_limits.py` |
| the matchup document, kinds of simulation | `matchup.py`, `simulations.py` |
| special rules, items, spells and terrain in effect; weapons in use | `traits.py`, `boons.py`, `weapons.py` |
| one attack: rolls to hit and to wound, saves | `attacks.py`, `saves.py`, `strikers.py`, `special_hits.py` |
| who fights, casualties, blows in their order | `formation.py`, `casualties.py`, `duel.py` |
| melee and attack counts; whole rounds, buildings, war machines | `close_combat.py`, `combat_round.py` |
| combat result, ranks, break tests; leadership; fear | `combat_result.py`, `leadership.py`, `psychology.py` |
| shooting; spells; dice of the magic phase | `shooting.py`, `spells.py`, `spell_book.py`, `magic_phase.py` |
| charges, pursuit, terrain; misfires and shares of hits | `movement.py`, `hazards.py` |
| tests of a few dice, enumerated or rolled | `experiments.py` |
"""
