"""The Horus Heresy: Age of Darkness.

| concern | module |
|---|---|
| the army document | `army.py`, `factions.py` |
| words of the game in both languages | `words.py` |
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
| the matchup document | `matchup.py` |
| special rules as written, and what an answer says of them | `special_rules.py`, `rules_in_play.py` |
| a side as a target; from a hit to a wound, or to hull points | `target.py`, `wounding.py`, `hull.py` |
| to hit with re-rolls, overheating weapons, psychic checks | `aiming.py`, `gets_hot.py`, `psychic.py` |
| shooting and close combat as lines of bearers | `shooting.py`, `assault.py`, `volley.py` |
| one attack and the tests it causes | `attacks.py`, `followup_tests.py` |
| a whole round; tests, charges and pursuits | `combat_round.py`, `morale.py` |
| every kind of simulation | `simulations.py` |
| units of a roster as fighters, all pairs of two lists | `fighters.py`, `matrix.py` |
"""
