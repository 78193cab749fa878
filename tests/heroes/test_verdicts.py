"""Every rule of Relic fires from a stored hero that was changed by edits."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from armybuilder.engine.findings import Severity, Verdict
from armybuilder.engine.systems.game import LIST_RULES
from armybuilder.engine.systems.relic.hero import Asset, Bonus, PowerCard, Trophy
from armybuilder.heroes import edits as h
from tests.heroes.hero import HeroInHand, captain, hero_viewer, new_hero, relic

__all__ = ["captain", "hero_viewer", "new_hero", "relic"]

Recipe = Callable[[HeroInHand], Any]


def dial(name: h.Dial, value: int) -> Recipe:
    return lambda hero: hero.dial(name, value)


def edits(*given: h.HeroEdit) -> Recipe:
    return lambda hero: hero.edit(*given)  # type: ignore[arg-type]


def plan(action: str, **members: Any) -> Recipe:
    return lambda hero: hero.plan(action=action, **members)


def asset(name: str = "Sword", **members: Any) -> h.TakeAsset:
    return h.TakeAsset(card=Asset(name=name, **members))


def power(number: int = 3) -> h.TakePowerCard:
    return h.TakePowerCard(card=PowerCard(number=number))


WEAPON = {"kind": "wargear", "asset_class": "weapon"}

FIRED: dict[str, Recipe] = {
    "RL-01": dial("strength", 13),
    "RL-02": dial("willpower", 2),
    "RL-03": dial("life", 0),
    "RL-04": dial("level", 13),
    "RL-05": edits(power(), power(), power(), power()),
    "RL-06": edits(*[asset(f"Charm {n}") for n in range(5)]),
    "RL-07": dial("influence", -1),
    "RL-08": dial("active_missions", 2),
    "RL-09": dial("active_missions", 0),
    "RL-10": edits(*[h.DrawCorruption(activation=1) for _ in range(6)]),
    "RL-11": edits(h.DrawCorruption(activation=2, face="up")),
    "RL-12": plan("trade_missions_for_relic", phase="experience"),
    "RL-13": edits(h.SetMoment(checkpoint="start")),
    "RL-14": edits(h.SetTier(tier="inner")),
    "RL-15": edits(asset("Sword", **WEAPON), asset("Axe", **WEAPON), h.SetKit(kit="battle", cards=("Sword", "Axe"))),
    "RL-16": edits(asset("Sword", **WEAPON), h.SetKit(kit="skill", cards=("Sword",))),
    "RL-17": edits(asset(charge_value=2), h.SetCharges(index=0, charges=0)),
    "RL-18": plan("buy_wargear", card="Power Sword", cost=4, space="Battlefleet Antias"),
    "RL-19": edits(h.TakeTrophy(card=Trophy(points=6))),
    "RL-20": edits(h.TakeTrophy(card=Trophy(points=2, source="scenario"))),
    "RL-21": edits(power(7)),
    "RL-22": edits(asset(skill_bonus=Bonus(color="grey", value=1))),
    "RL-23": plan("spend_charge", card="Power Sword", spent_this_turn=1),
    "RL-24": plan("use_power_card", use=("number", "effect")),
    "RL-25": plan("evade"),
    "RL-26": dial("players", 5),
    "RL-27": lambda hero: (
        hero.edit(h.SetOutOfGame(characters=("Lost One",)))
        and hero.plan(action="choose_character", character="Lost One")
    ),
    "RL-28": plan("discard_asset", phase="movement"),
    "RL-29": lambda hero: (
        hero.edit(h.SetTier(tier="inner"), asset("Skull", kind="relic")) and hero.plan(action="use_movement_effect")
    ),
}
"""What makes a legal hero break each rule."""

NOT_HELD: dict[str, str] = {}
"""Rules about facts that a stored hero cannot hold: none, as his document is the army document itself."""

MILD = {
    "RL-09": Severity.WARNING,
    "RL-11": Severity.WARNING,
    "RL-14": Severity.WARNING,
    "RL-19": Severity.INFO,
    "RL-26": Severity.WARNING,
}
"""Rules that do not make a saved hero illegal."""


def member(document: Any, pointer: str) -> Any:
    """What a JSON pointer leads to."""
    for token in pointer.split("/")[1:]:
        document = document[int(token)] if isinstance(document, list) else document[token]
    return document


def test_every_rule_is_fired_or_cannot_be() -> None:
    assert set(LIST_RULES["relic"].rules.rules) == {*FIRED, *NOT_HELD}


def test_the_captain_is_legal(captain: HeroInHand) -> None:
    report = captain.report
    assert (report.findings, report.verdict, report.unchecked) == ((), Verdict.LEGAL, ())
    assert (report.points.total, report.points.limit) == (None, None)
    row = captain.row
    assert (row.verdict, row.points, row.finding_counts, row.faction_names) == (
        "legal", None, "0/0/0", "Ultramarines Captain",
    )  # fmt: skip


@pytest.mark.parametrize("rule", FIRED)
def test_a_rule_fires_from_a_stored_hero(rule: str, captain: HeroInHand) -> None:
    FIRED[rule](captain)
    report = captain.report
    found = [finding for finding in report.findings if finding.rule == rule]
    assert found, captain.rules()
    assert {finding.severity for finding in found} == {MILD.get(rule, Severity.ERROR)}
    assert report.legal is (rule in MILD)
    for finding in found:
        assert finding.at is not None
        member(json.loads(captain.row.document), finding.at)  # it leads somewhere
        assert finding.message.en
        assert finding.message.ru
        assert finding.source


def test_limits_are_soft_within_a_turn(captain: HeroInHand) -> None:
    FIRED["RL-05"](captain)
    FIRED["RL-06"](captain)
    assert captain.row.verdict == "illegal"
    captain.edit(h.SetMoment(checkpoint="mid_turn"))
    assert [(f.rule, f.severity) for f in captain.report.findings] == [
        ("RL-05", Severity.WARNING),
        ("RL-06", Severity.WARNING),
    ]
    assert captain.row.verdict == "legal"


def test_a_finding_about_a_card_names_it(captain: HeroInHand) -> None:
    captain.edit(asset("Shield"), asset("Sword", charge_value=1), h.SetCharges(index=1, charges=0))
    (finding,) = captain.report.findings
    assert (finding.rule, finding.at, finding.node_name) == ("RL-17", "/hero/assets/1/charges", "Sword")
