"""Texts of game data that are long and say nothing: they are read in time that grows with their length alone."""

import time
from collections.abc import Callable

import pytest

from armybuilder.engine.roster.state import ProfileState, RuleState
from armybuilder.engine.systems.epic import criticals
from armybuilder.engine.systems.epic.roster import recognition as epic
from armybuilder.engine.systems.epic.roster import rule_texts
from armybuilder.engine.systems.fantasy_8th.roster import weapon_rows as fantasy
from armybuilder.engine.systems.roster_reading import counted_names, loadouts
from armybuilder.engine.systems.wh40k_6th.roster import default_wargear, fighters
from armybuilder.engine.systems.wh40k_6th.roster import recognition as wh40k

LENGTH = 60_000
SECONDS = 1.0
"""Of the processor; before, the quickest of these took a minute."""


def row(type_name: str, **cells: str) -> ProfileState:
    values = {"Weapons": "gun", "Range": "30cm", "Firepower": "AP4+", "Notes": "-", "Strength": "4", "AP": "5"} | cells
    name = values.pop("name", "gun")
    return ProfileState(id="p", name=name, type_id="", type_name=type_name, characteristics=tuple(values.items()))


def cell(column: str) -> Callable[[str], object]:
    return lambda text: epic.weapons(row("Unit", **{column: text}))


def ratings(text: str) -> object:
    return rule_texts.ratings([RuleState(id="r", name="Strategy Rating", description=text)])


def capacity(text: str) -> object:
    return rule_texts.capacity([RuleState(id="r", name="Transport", description=f"Rhino: {text}")], ["Rhino"])


def shares(text: str) -> object:
    note = [RuleState(id="r", name="Note", description=text)]
    return list(rule_texts.unread_shares(note)), rule_texts.asked_shares(note), rule_texts.demanded(note)


READINGS: dict[str, Callable[[str], object]] = {
    "a name": counted_names.counted,
    "copies": lambda text: counted_names.copies(text, "Lascannon"),
    "the part of a name": lambda text: counted_names.part_about(text, "Lascannon"),
    "what a model carries in its name": lambda text: counted_names.carried_in_name(f"w/{text}"),
    "a group's name": loadouts._WAY.split,
    "an Epic weapon's name": lambda text: epic.weapons(row("Weapon", name=text)),
    "Epic weapons": cell("Weapons"),
    "Epic ranges": cell("Range"),
    "Epic firepower": cell("Firepower"),
    "Epic notes": cell("Notes"),
    "Epic rules": epic.rules,
    "Epic damage": epic.damage_track,
    "Epic initiatives": ratings,
    "Epic transports": capacity,
    "Epic shares": shares,
    "an Epic name": lambda text: rule_texts.without_army(text, text),
    "critical effects": criticals.described_effect,
    "a 40k army": wh40k.army_name,
    "a 40k weapon's type": lambda text: wh40k.weapon_of(row("Weapon", Range='24"', Type=text)),
    "a 40k weapon's range": lambda text: wh40k.weapon_of(row("Weapon", Range=text, Type="Heavy 2")),
    "a Fantasy weapon's rules": lambda text: fantasy.weapon_of("gun", row("Weapon", **{"Special Rules": text})),
    "40k wargear": default_wargear.rows_named,
    "40k exchanges": lambda text: (fighters.EXCHANGE.search(text), fighters.BESIDES.search(text)),
    "40k saves": lambda text: (fighters._ARMOUR.search(text), fighters._INVULNERABLE.search(text)),
}
SHAPES = (
    "1", "1 ", ".", ",", " ", "\u00a0", "(", "()", "a ", "a, ", "1x ", "D3+", "8/", "<br>", "<br> ", "and ", "1+ (",
    "have ", "except for ", "initiative ", "takes 2 ", "1 unit ", "2 or ", "replace a ", "can fire his ", "x 2",
    "a third of ", "at least a third of the detachments ", "must include one additional a for every ",
)  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("reading", READINGS)
def test_long_texts_are_read_in_time(reading: str) -> None:
    """A digit repeated 60,000 times as the name of a selection took hours; a number of 5,000 digits felled `int`."""
    slow = []
    for shape in SHAPES:
        for before, behind in (("", ""), ("2x ", "!")):
            began = time.process_time()
            READINGS[reading](before + shape * (LENGTH // len(shape)) + behind)
            if time.process_time() - began > SECONDS:
                slow.append((shape, behind))
    assert slow == []


@pytest.mark.parametrize("blank", [" ", "\u00a0", "\n"])
def test_a_blank_name_is_one_thing(blank: str) -> None:
    assert counted_names.copies(blank, "Lascannon") == 1
    assert counted_names.part_about(blank, "Lascannon") == blank
