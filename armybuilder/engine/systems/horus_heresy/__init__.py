"""The Horus Heresy: Age of Darkness.

| concern | module |
|---|---|
| the army document, and the words that it uses | `army.py`, `vocabulary.py`, `factions.py` |
| words of the game in both languages | `words.py` |
| the matchup document | `matchup.py` |
| all its parts as one value; words of its matchups; yardsticks | `game.py`, `words.toml`, `target_profiles.toml` |
| `list_rules/` | |
| allegiance, points limit, chart, the other army | `frame.py` |
| detachments and slots | `force_org.py` |
| Legions and army lists within a detachment | `faction_unity.py` |
| alliance levels, allied characters and transports | `alliances.py` |
| Lords of War and Primarchs | `percent_limits.py` |
| the warlord and his trait | `warlord.py` |
| dedicated transports | `transports.py` |
| fortifications | `fortifications.py` |
| characters that join units | `attachments.py` |
| reserves and assaults | `deployment.py` |
| psykers | `psykers.py` |
| profiles and options | `datasheets.py` |
| the rule table | `rules.py`, `rules.toml` |
| `roster/` | |
| units of a roster as fighters, all pairs of two lists | `fighters.py` |
| a roster as the army document | `army_document.py`, `units.py`, `recognition.py` |
| a unit as combat sees it, read from a roster | `fighters.py` |
| `combat/` | |
| special rules: a row each; what an answer says of them | `special_rules.toml`, `special_rules.py`, `model_notes.py` |
| a side with its rules read, and as a target | `ruled_unit.py`, `target_state.py` |
| from a hit to a wound, or to hull points | `wounding.py`, `vehicle_damage.py` |
| to hit with re-rolls, overheating weapons, psychic checks | `aiming.py`, `gets_hot.py`, `psychic.py` |
| who fires and strikes, and how steadily or often | `firing.py`, `melee_attackers.py` |
| shooting and close combat as lines of bearers | `shooting.py`, `assault.py`, `volley.py` |
| one attack and the tests it causes | `attacks.py`, `followup_tests.py` |
| a whole round; tests, charges and pursuits | `combat_round.py`, `morale.py` |
| every kind of simulation | `simulations.py` |
| units of a roster as fighters, all pairs of two lists | `matrix.py` |
| challenges, blows in their order, whom wounds reach | `challenge.py`, `melee.py`, `wound_allocation.py` |
| rams; reactions | `ram.py`, `reactions.py` |
| a unit as combat sees it, read from a roster | `fighter.py` |
| two lists that meet; whole battles | `list_matchup.py`, `battle.py` |
"""
