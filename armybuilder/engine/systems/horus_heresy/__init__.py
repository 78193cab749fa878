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
"""

from armybuilder.engine.findings import Points
from armybuilder.engine.systems.horus_heresy.army import Army
from armybuilder.engine.systems.horus_heresy.rules import TABLE
from armybuilder.engine.systems.rulepack import Check, RulePack

CHECKS: tuple[Check, ...] = ()


def points_of_army(army: Army) -> Points:
    """The sum of all prices, and the limit as it is written."""
    return Points.of(army.total, limit=army.points_limit)


PACK = RulePack(
    system="horus-heresy",
    rules=TABLE,
    army_type=Army,
    checks=CHECKS,
    points=points_of_army,
    simulations="armybuilder.engine.systems.horus_heresy.matchup",
)
