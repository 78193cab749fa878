"""Whatever a player does to a hero: the document stays readable, the check answers, and the page can be written."""

import json
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from armybuilder.armylists import edits as e
from armybuilder.armylists.errors import EditRefused
from armybuilder.armylists.models import ArmyList
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.engine.documents import parse_army
from armybuilder.engine.systems.relic.hero import (
    Action,
    Asset,
    Bonus,
    Character,
    Loadout,
    PowerCard,
    PowerLimit,
    StartValues,
    Trophy,
)
from armybuilder.heroes import edits as h
from armybuilder.heroes.changes import cards_gone, changed_values
from armybuilder.heroes.checking import report_on_hero
from armybuilder.heroes.documents import new_hero as blank_hero
from armybuilder.heroes.documents import read_hero, written_hero
from armybuilder.heroes.editing import HeroDraft
from armybuilder.heroes.wording import ACTION_NAMES
from armybuilder.web.pages.hero_page import HeroPage
from tests.examples import examples
from tests.heroes.hero import relic

__all__ = ["relic"]

SMALL = st.integers(0, 8)
ANY = st.integers(-20, 20)
MAYBE = st.none() | st.integers(-20, 20)
NAMES = st.sampled_from(["Sword", "Shield", "Skull", "Силовой меч", "<b>&"])
BONUSES = st.none() | st.builds(Bonus, color=st.sampled_from(["red", "grey", "pink"]), value=ANY)
ASSETS = st.builds(
    Asset,
    name=NAMES,
    kind=st.sampled_from([None, "wargear", "relic", "threat_asset"]),
    asset_class=st.sampled_from([None, "weapon", "armour", "equipment"]),
    battle_bonus=BONUSES,
    skill_bonus=BONUSES,
    charge_value=st.none() | SMALL,
    charges=st.none() | SMALL,
)
CHARACTERS = st.builds(
    Character,
    name=st.none() | NAMES,
    start=st.none() | st.builds(StartValues, strength=MAYBE, willpower=MAYBE, cunning=MAYBE, life=MAYBE),
    asset_limit=st.none() | SMALL,
    power_limits=st.lists(st.builds(PowerLimit, first=ANY, last=ANY, limit=ANY), max_size=3).map(tuple),
)
EDITS: st.SearchStrategy[e.Edit] = st.one_of(
    st.builds(h.SetDial, dial=st.sampled_from(get_args(h.Dial)), value=MAYBE),
    st.builds(h.SetMoment, checkpoint=st.sampled_from(["start", "mid_turn", "after_experience"])),
    st.builds(h.SetTier, tier=st.sampled_from(["outer", "middle", "inner", "scenario"])),
    st.builds(h.SetCharacter, character=CHARACTERS, set_up=st.booleans()),
    st.builds(h.TakePowerCard, card=st.builds(PowerCard, number=ANY, name=st.none() | NAMES)),
    st.builds(h.TakeAsset, card=ASSETS),
    st.builds(h.DrawCorruption, activation=ANY, face=st.sampled_from([None, "up", "down"])),
    st.builds(h.TakeTrophy, card=st.builds(Trophy, points=ANY, source=st.sampled_from(["threat", "scenario"]))),
    st.builds(h.GiveBack, pile=st.sampled_from(get_args(h.Pile)), index=SMALL),
    st.builds(h.SetCharges, index=SMALL, charges=SMALL),
    st.builds(h.TurnCorruption, index=SMALL, face=st.sampled_from(["up", "down"]), by_effect=st.booleans()),
    st.builds(h.SetKit, kit=st.sampled_from(["battle", "skill"]), cards=st.lists(NAMES, max_size=3).map(tuple)),
    st.builds(
        h.PlanAction,
        action=st.builds(
            Action,
            action=st.sampled_from(list(ACTION_NAMES)),
            phase=st.sampled_from([None, "movement", "experience"]),
            card=st.none() | NAMES,
            cost=st.none() | SMALL,
            space=st.none() | NAMES,
            character=st.none() | NAMES,
            spent_this_turn=SMALL,
        ),
    ),
    st.builds(h.SetOutOfGame, characters=st.lists(NAMES, max_size=2).map(tuple)),
    st.builds(h.SpendTrophies, places=st.lists(SMALL, min_size=1, max_size=3).map(tuple)),
    st.builds(h.TradeMissions, card=ASSETS),
    st.builds(h.Fall, character=CHARACTERS),
    st.just(h.Recover()),
    st.builds(e.SetNotes, notes=st.text(max_size=20)),
)


def carried_out(edits: list[e.Edit]) -> HeroDraft:
    """A hero after these edits; those he refuses change nothing."""
    draft = HeroDraft(blank_hero("Anybody"))
    for edit in edits:
        before = draft.document
        try:
            draft.apply((edit,))
        except EditRefused as refusal:
            assert refusal.text.en
            assert refusal.text.ru
            assert draft.document == before
    return draft


def with_charges(charges: tuple[int, ...]) -> Loadout:
    """A hero with as many cards of one name, each with these charges."""
    assets = tuple(Asset(name="Bolt pistol", kind="wargear", charge_value=3, charges=number) for number in charges)
    blank = blank_hero("Anybody")
    return msgspec.structs.replace(blank, hero=msgspec.structs.replace(blank.hero, assets=assets))


@given(st.lists(EDITS, max_size=12))
def test_what_is_stored_is_what_was_built(edits: list[e.Edit]) -> None:
    document = carried_out(edits).document
    text = written_hero(document)
    assert read_hero(text) == document
    assert parse_army(json.loads(text)) == document  # what the file and the stateless check read
    assert written_hero(read_hero(text)) == text


@given(st.lists(EDITS, max_size=8), st.lists(EDITS, max_size=8))
def test_a_difference_is_empty_only_between_equals(first: list[e.Edit], second: list[e.Edit]) -> None:
    before, after = carried_out(first).document, carried_out([*first, *second]).document
    assert list(changed_values(before, before)) == []
    assert cards_gone(before, before) == ()
    assert all(text.en and text.ru for text in changed_values(before, after))


@pytest.mark.parametrize(
    ("case", "before", "after", "lines"),
    [
        ("two of one name stay as they are", (1, 3), (1, 3), []),
        ("their order says nothing", (1, 3), (3, 1), []),
        ("one of two is used", (3, 3), (3, 2), ["Bolt pistol, charges: 3 → 2"]),
        ("one of two is given back", (1, 3), (3,), []),
        ("both are used", (2, 3), (1, 1), ["Bolt pistol, charges: 2 → 1", "Bolt pistol, charges: 3 → 1"]),
        ("another one is taken", (1,), (1, 3), []),
        ("the only one is used up", (1,), (0,), ["Bolt pistol, charges: 1 → 0"]),
    ],
)
def test_charges_of_cards_with_one_name(
    case: str, before: tuple[int, ...], after: tuple[int, ...], lines: list[str]
) -> None:
    first, second = with_charges(before), with_charges(after)
    assert [text.en for text in changed_values(first, second)] == lines, case
    assert list(changed_values(first, first)) == []


@pytest.mark.django_db
@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(EDITS, max_size=12))
@pytest.mark.long
def test_every_finding_has_a_place_on_the_page(relic: PublishedSystem, edits: list[e.Edit]) -> None:
    document = carried_out(edits).document
    report = report_on_hero(document, system=relic, revision=1, levels={})
    release_id = relic.current_release_id
    assert release_id is not None
    row = ArmyList(system=relic, release_id=release_id, name="Anybody", document_kind="army")
    page = HeroPage(row, report)
    stored: Any = json.loads(written_hero(document))
    for finding in report.findings:
        value = stored
        for step in (finding.at or "").split("/")[1:]:
            value = value[int(step)] if isinstance(value, list) else value[step]
    places = {"place", "dial-players", *(f"dial-{item.key}" for item in page.counters)}
    places |= {f"dial-{dial.stepper.key}" for dial in page.dials} | {"dial-level"}
    for pile in (page.power, page.assets, page.corruption, page.trophies, page.actions):
        places |= {pile.key, *(card.anchor for card in pile.cards)}
    assert {line.anchor for line in page.findings} <= places
    assert len(list(page.track)) == 13
    assert sum(band.width for band in page.bands) == 13
