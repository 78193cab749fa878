"""The values a saved hero may have: dials, level, cards in hand, missions, corruption, players."""

from collections.abc import Iterator

from armybuilder.engine.findings import Finding, Severity
from armybuilder.engine.systems.relic.hero import ATTRIBUTES, DIAL, LEVELS, POINTS_A_LEVEL, Hero, Loadout
from armybuilder.engine.systems.relic.list_rules.rules import ATTRIBUTE_NAMES, FACE_NAMES, finding

PLAYERS = range(2, 5)


def attributes_on_the_dial(loadout: Loadout) -> Iterator[Finding]:
    """RL-01: every attribute is 1 to 12."""
    for name in ATTRIBUTES:
        value = loadout.hero.attributes.get(name) if loadout.hero.attributes else None
        if value is not None and value not in DIAL:
            yield finding("RL-01", at=f"/hero/attributes/{name}", attribute=ATTRIBUTE_NAMES[name], n=value)


def attributes_at_least_their_start(loadout: Loadout) -> Iterator[Finding]:
    """RL-02: no attribute is below the value the character card prints (L197)."""
    hero = loadout.hero
    if hero.attributes is None or hero.character is None or hero.character.start is None:
        return
    for name in ATTRIBUTES:
        value, start = hero.attributes.get(name), hero.character.start.get(name)
        if value is not None and start is not None and value < start:
            yield finding("RL-02", at=f"/hero/attributes/{name}", attribute=ATTRIBUTE_NAMES[name], n=value, start=start)


def life_on_the_dial(loadout: Loadout) -> Iterator[Finding]:
    """RL-03: Life is 1 to 12; a hero at 0 is vanquished and has to be resolved."""
    life = loadout.hero.life
    if life is not None and life not in DIAL:
        yield finding("RL-03", at="/hero/life", n=life)


def level_on_the_track(loadout: Loadout) -> Iterator[Finding]:
    """RL-04: the level is 0 to 12."""
    if loadout.hero.level not in LEVELS:
        yield finding("RL-04", at="/hero/level", n=loadout.hero.level)


def power_limit(loadout: Loadout) -> Iterator[Finding]:
    """RL-05: no more power cards than the level allows; within a turn it is only a warning (L602)."""
    hero = loadout.hero
    limit = hero.character.power_limit_at(hero.level) if hero.character else None
    n = len(hero.power_cards)
    if limit is not None and n > limit:
        yield finding(
            "RL-05", at="/hero/power_cards", severity=_binding(hero), n=n, limit=limit, level=hero.level, over=n - limit
        )


def asset_limit(loadout: Loadout) -> Iterator[Finding]:
    """RL-06: no more assets, relics and wargear included, than the character card allows; within a turn a warning."""
    hero = loadout.hero
    limit = hero.character.asset_limit if hero.character else None
    n = len(hero.assets)
    if limit is not None and n > limit:
        yield finding("RL-06", at="/hero/assets", severity=_binding(hero), n=n, limit=limit, over=n - limit)


def influence_not_negative(loadout: Loadout) -> Iterator[Finding]:
    """RL-07: Influence is never negative."""
    if loadout.hero.influence < 0:
        yield finding("RL-07", at="/hero/influence", n=loadout.hero.influence)


def one_active_mission(loadout: Loadout) -> Iterator[Finding]:
    """RL-08: at most one mission is active."""
    active = loadout.hero.missions.active if loadout.hero.missions else None
    if active is not None and active > 1:
        yield finding("RL-08", at="/hero/missions/active", n=active)


def mission_after_experience(loadout: Loadout) -> Iterator[Finding]:
    """RL-09: after the Experience phase one mission is active; a skipped phase draws none (L524)."""
    hero = loadout.hero
    if (
        hero.checkpoint == "after_experience"
        and not hero.experience_skipped
        and hero.missions
        and hero.missions.active == 0
    ):
        yield finding("RL-09", at="/hero/missions/active")


def below_corruption_threshold(loadout: Loadout) -> Iterator[Finding]:
    """RL-10: fewer corruption cards than the threshold, by default 6."""
    hero = loadout.hero
    n = len(hero.corruption)
    if n >= hero.corruption_threshold:
        yield finding("RL-10", at="/hero/corruption", n=n, threshold=hero.corruption_threshold)


def corruption_faces(loadout: Loadout) -> Iterator[Finding]:
    """RL-11: the i-th corruption card lies face up exactly if its activation number is at most i."""
    if loadout.hero.corruption_discarded:
        return
    for index, card in enumerate(loadout.hero.corruption):
        face = "up" if card.activation <= index + 1 else "down"
        if card.face is not None and not card.flipped_by_effect and card.face != face:
            yield finding(
                "RL-11",
                at=f"/hero/corruption/{index}/face",
                position=index + 1,
                activation=card.activation,
                face=FACE_NAMES[face],
            )


def spendable_trophies(loadout: Loadout) -> Iterator[Finding]:
    """RL-19: trophies worth six or more are left after the Experience phase."""
    hero = loadout.hero
    n = sum(trophy.points for trophy in hero.trophies)
    if hero.checkpoint == "after_experience" and not hero.experience_skipped and n >= POINTS_A_LEVEL:
        yield finding("RL-19", at="/hero/trophies", n=n, levels=n // POINTS_A_LEVEL)


def number_of_players(loadout: Loadout) -> Iterator[Finding]:
    """RL-26: two to four players."""
    if loadout.players is not None and loadout.players not in PLAYERS:
        yield finding("RL-26", at="/players", n=loadout.players)


def _binding(hero: Hero) -> Severity:
    """Card limits are hard only at the end of the own Experience phase."""
    return Severity.ERROR if hero.limits_are_hard else Severity.WARNING
