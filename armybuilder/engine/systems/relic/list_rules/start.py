"""RL-13: a hero at the start of the game matches the set-up rules."""

from collections.abc import Iterator

from armybuilder.engine.findings import Finding, Text
from armybuilder.engine.systems.relic.hero import ATTRIBUTES, START_INFLUENCE, Loadout
from armybuilder.engine.systems.relic.list_rules.rules import ATTRIBUTE_NAMES, finding


def set_up(loadout: Loadout) -> Iterator[Finding]:
    """RL-13: level 0, printed attributes and Life, 3 Influence, a full hand, one active mission, nothing else.

    What the document does not state (no character card, no missions) is not compared. Source: L78-86 [text].
    """
    hero = loadout.hero
    if hero.checkpoint != "start":
        return
    start = hero.character.start if hero.character else None
    values: list[tuple[str, Text, int | None, int | None]] = [
        ("/hero/level", Text("level", "уровень"), hero.level, 0),
        ("/hero/influence", Text("Influence", "Влияние"), hero.influence, START_INFLUENCE),
        ("/hero/life", Text("Life", "Здоровье"), hero.life, start.life if start else None),
        (
            "/hero/power_cards",
            Text("Power cards", "карт Силы"),
            len(hero.power_cards),
            hero.character.power_limit_at(0) if hero.character else None,
        ),
        ("/hero/assets", Text("assets", "активов"), len(hero.assets), 0),
        ("/hero/corruption", Text("Corruption cards", "карт Порчи"), len(hero.corruption), 0),
        ("/hero/trophies", Text("trophies", "трофеев"), len(hero.trophies), 0),
    ]
    if hero.missions:
        values += [
            ("/hero/missions/active", Text("active missions", "активных заданий"), hero.missions.active, 1),
            ("/hero/missions/completed", Text("completed missions", "выполненных заданий"), hero.missions.completed, 0),
        ]
    if start and hero.attributes:
        values += [
            (f"/hero/attributes/{name}", ATTRIBUTE_NAMES[name], hero.attributes.get(name), start.get(name))
            for name in ATTRIBUTES
        ]
    for at, what, n, expected in values:
        if n is not None and expected is not None and n != expected:
            yield finding("RL-13", at=at, what=what, n=n, expected=expected)
