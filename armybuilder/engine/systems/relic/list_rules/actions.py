"""What a player may do: trades, purchases, the Inner tier, charges, power cards, evading, discards."""

from collections.abc import Iterator

from armybuilder.engine.findings import Finding, Severity
from armybuilder.engine.systems.relic.hero import MISSIONS_A_RELIC, Action, Loadout
from armybuilder.engine.systems.relic.list_rules.rules import finding

SHOP = "battlefleet antias"
GATE = "guardian of the rift"


def relic_trade(loadout: Loadout) -> Iterator[Finding]:
    """RL-12: three completed missions buy a relic, in the own Experience phase."""
    missions = loadout.hero.missions
    completed = missions.completed if missions else None
    for at, action in _actions(loadout, "trade_missions_for_relic"):
        too_few = completed is not None and completed < MISSIONS_A_RELIC
        if too_few or _elsewhere(action.phase, "experience"):
            yield finding("RL-12", at=at, n="–" if completed is None else completed)


def inner_tier(loadout: Loadout) -> Iterator[Finding]:
    """RL-14: the Inner tier is entered with a relic from Guardian of the Rift; a hero there without one is warned."""
    if loadout.hero.tier == "inner" and not loadout.hero.relics:
        yield finding("RL-14", at="/hero/tier", severity=Severity.WARNING)
    for at, action in _actions(loadout, "enter_inner_tier"):
        if not loadout.hero.relics or _elsewhere(action.from_space, GATE):
            yield finding("RL-14", at=at)


def wargear_purchase(loadout: Loadout) -> Iterator[Finding]:
    """RL-18: wargear is bought at Battlefleet Antias for its cost; gains by an effect are free."""
    influence = loadout.hero.influence
    for at, action in _actions(loadout, "buy_wargear"):
        too_dear = action.cost is not None and action.cost > influence
        if not action.free_gain and (too_dear or _elsewhere(action.space, SHOP)):
            yield finding("RL-18", at=at, cost="–" if action.cost is None else action.cost, n=influence)


def one_charge_a_turn(loadout: Loadout) -> Iterator[Finding]:
    """RL-23: each card spends at most one charge a turn."""
    for at, action in _actions(loadout, "spend_charge"):
        if action.spent_this_turn >= 1:
            yield finding("RL-23", at=at, asset=action.card or "–", n=action.spent_this_turn)


def number_or_effect(loadout: Loadout) -> Iterator[Finding]:
    """RL-24: a power card is used for its number or its effect, and one number replaces one roll."""
    for at, action in _actions(loadout, "use_power_card"):
        if {"number", "effect"} <= set(action.use) or action.numbers_for_one_roll > 1:
            yield finding("RL-24", at=at)


def evading(loadout: Loadout) -> Iterator[Finding]:
    """RL-25: evading needs an ability; "cannot" beats it."""
    for at, action in _actions(loadout, "evade"):
        if not action.ability or action.cannot_evade:
            yield finding("RL-25", at=at)


def out_of_the_game(loadout: Loadout) -> Iterator[Finding]:
    """RL-27: a corrupted character does not come back in the same game."""
    for at, action in _actions(loadout, "choose_character"):
        if action.character is not None and action.character in loadout.hero.corrupted_characters:
            yield finding("RL-27", at=at, character=action.character)


def voluntary_discards(loadout: Loadout) -> Iterator[Finding]:
    """RL-28: cards are discarded by choice only in the own Experience phase."""
    for at, action in _actions(loadout, "discard_asset"):
        if not action.required_by_effect and _elsewhere(action.phase, "experience"):
            yield finding("RL-28", at=at)


def movement_in_the_inner_tier(loadout: Loadout) -> Iterator[Finding]:
    """RL-29: nothing adds to or replaces the single step of the Inner tier."""
    for at, _ in _actions(loadout, "use_movement_effect"):
        if loadout.hero.tier == "inner":
            yield finding("RL-29", at=at)


def _actions(loadout: Loadout, kind: str) -> Iterator[tuple[str, Action]]:
    for index, action in enumerate(loadout.actions):
        if action.action == kind:
            yield f"/actions/{index}", action


def _elsewhere(stated: str | None, wanted: str) -> bool:
    """Whether the document states another phase or space; what it does not state is not held against it."""
    return stated is not None and stated.strip().casefold() != wanted
