"""Ten heroes from the cards that ship, built from empty as a page builds them, and each spoiled in three ways.

Legal at the table by the rules text: the set-up (L78-L86), limits after the own Experience phase (L363, L498-L500), one
mission (L660), fewer Corruption cards than six (L546), relics for the Inner tier (L367). Cards are taken as printed.
"""

from collections.abc import Callable, Sequence

import msgspec
import pytest

from armybuilder.armylists import edits as e
from armybuilder.datafiles.card_sets import cards_of
from armybuilder.engine.findings import Severity
from armybuilder.engine.systems.relic.hero import Action, PowerCard, Trophy
from armybuilder.heroes import edits as h
from tests.heroes.hero import ASSASSIN, CAPTAIN, HeroInHand, hero_viewer, new_hero, relic

__all__ = ["hero_viewer", "new_hero", "relic"]

SISTER, PSYKER, TRADER, VETERAN = "Battle Sister", "Sanctioned Psyker", "Rogue Trader", "Jungle Veteran"
POWERS = {1: "Last Stand", 2: "Hasty Prayer", 3: "Secret Paths", 4: "Forced March", 5: "Steady Aim", 6: "Iron Resolve"}

Step = tuple[e.Edit, ...] | str


def powers(*numbers: int) -> Step:
    """Power cards drawn."""
    return tuple(h.TakePowerCard(card=PowerCard(number=number, name=POWERS[number])) for number in numbers)


def dials(**values: int) -> Step:
    """What the dials of the sheet show."""
    return tuple(h.SetDial(dial=name, value=value) for name, value in values.items())  # type: ignore[arg-type]


def corruption(*activations: int) -> Step:
    """Corruption cards drawn one after the other, each laid as its number says."""
    return tuple(h.DrawCorruption(activation=number) for number in activations)


def trophies(*points: int, source: str = "threat") -> Step:
    return tuple(h.TakeTrophy(card=Trophy(points=worth, source=source)) for worth in points)  # type: ignore[arg-type]


def plan(action: str, **members: object) -> Step:
    return (h.PlanAction(action=Action(action=action, **members)),)  # type: ignore[arg-type]


def at(checkpoint: str, tier: str = "outer") -> Step:
    return h.SetMoment(checkpoint=checkpoint), h.SetTier(tier=tier)  # type: ignore[arg-type]


def kit(kind: str, *cards: str) -> Step:
    return (h.SetKit(kit=kind, cards=cards),)  # type: ignore[arg-type]


GROWN = "after_experience"


class Case(msgspec.Struct, frozen=True):
    """A hero in the order in which a player writes him down; a bare name is a card of the set that he takes.

    Attributes:
        spoils: what makes him illegal, with every error that appears.
    """

    character: str
    steps: tuple[Step, ...]
    spoils: tuple[tuple[tuple[Step, ...], tuple[str, ...]], ...]


HEROES = {
    "a Captain who sets out": Case(
        CAPTAIN,
        (powers(6, 3),),
        (
            ((powers(1),), ("RL-05", "RL-13")),
            ((dials(level=1),), ("RL-13",)),
            (("Power Sword",), ("RL-13",)),
        ),
    ),
    "a Psyker who sets out with three cards": Case(
        PSYKER,
        (powers(2, 2, 5), dials(players=2)),
        (
            ((dials(influence=4),), ("RL-13",)),
            ((dials(willpower=4),), ("RL-02", "RL-13")),
            ((dials(active_missions=2),), ("RL-08", "RL-13")),
        ),
    ),
    "an Assassin with her rifle": Case(
        ASSASSIN,
        (
            at(GROWN), dials(level=3, cunning=5, strength=4), powers(4, 1), "Needle Rifle", "Chameleon Cloak",
            kit("battle", "Needle Rifle"), plan("spend_charge", card="Needle Rifle"),
        ),
        (
            ((powers(2),), ("RL-05",)),
            (("Auspex", "Purity Seals"), ("RL-06",)),
            (((h.SetCharges(index=0, charges=0),),), ("RL-17",)),
        ),
    ),
    "an Assassin of level four may hold three": Case(
        ASSASSIN,
        (at(GROWN), dials(level=4, cunning=6), powers(4, 1, 6), "Duelling Pistol", plan("evade", ability=True)),
        (
            ((dials(level=3),), ("RL-05",)),
            ((plan("evade", ability=True, cannot_evade=True),), ("RL-25",)),
            ((dials(strength=13),), ("RL-01",)),
        ),
    ),
    "a Sister with a relic in the Inner tier": Case(
        SISTER,
        (
            at(GROWN), dials(level=9, willpower=9, strength=6), powers(5, 5, 2), "Skull of the Martyr",
            "Purity Seals", "Carapace Armour", corruption(3, 1), at(GROWN, "inner"),
            kit("skill", "Skull of the Martyr", "Purity Seals"),
        ),
        (
            ((plan("use_movement_effect"),), ("RL-29",)),
            ((kit("skill", "Carapace Armour"),), ("RL-16",)),
            ((corruption(1, 2, 3, 4),), ("RL-10",)),
        ),
    ),
    "a Trader who buys": Case(
        TRADER,
        (
            at(GROWN), dials(level=7, influence=4, cunning=7), powers(1, 6, 6), "Auspex", "Servo-skull",
            "Duelling Pistol", "Carapace Armour",
            plan("buy_wargear", card="Power Sword", cost=4, space="Battlefleet Antias"),
        ),
        (
            ((dials(influence=3),), ("RL-18",)),
            (("Looted Choppa", "Warding Totem"), ("RL-06",)),
            ((plan("discard_asset", phase="movement"),), ("RL-28",)),
        ),
    ),
    "a Trader who has three missions": Case(
        TRADER,
        (
            at(GROWN), dials(level=6, completed_missions=3), powers(1, 6), "Auspex", trophies(3, 2),
            plan("trade_missions_for_relic", phase="experience"),
        ),
        (
            ((dials(completed_missions=2),), ("RL-12",)),
            ((plan("trade_missions_for_relic", phase="movement"),), ("RL-12",)),
            ((trophies(2, source="scenario"),), ("RL-20",)),
        ),
    ),
    "a Veteran of the jungle": Case(
        VETERAN,
        (at(GROWN), dials(level=8, strength=10, life=3), powers(3, 1), "Meltagun", "Chainsword", "Storm Shield",
         kit("battle", "Meltagun", "Storm Shield")),
        (
            ((kit("battle", "Meltagun", "Chainsword", "Storm Shield"),), ("RL-15",)),
            ((dials(life=0),), ("RL-03",)),
            ((plan("spend_charge", card="Meltagun", spent_this_turn=1),), ("RL-23",)),
        ),
    ),
    "a Captain in the midst of a turn": Case(
        CAPTAIN,
        (at("mid_turn", "middle"), dials(level=5, strength=6), powers(6, 6, 6, 6), "Power Sword", corruption(1, 4),
         plan("use_power_card", use=("effect",))),
        (
            ((plan("use_power_card", use=("number", "effect")),), ("RL-24",)),
            ((dials(influence=-1),), ("RL-07",)),
            ((at(GROWN, "middle"),), ("RL-05",)),
        ),
    ),
    "a Psyker at the end of the track": Case(
        PSYKER,
        (at(GROWN, "middle"), dials(level=12, willpower=12, life=12), powers(1, 2, 3, 4, 5), "Psychic Hood",
         (h.SetOutOfGame(characters=("Battle Sister",)),), plan("choose_character", character="Rogue Trader")),
        (
            ((dials(level=13),), ("RL-04",)),
            ((plan("choose_character", character="Battle Sister"),), ("RL-27",)),
            (((h.TakePowerCard(card=PowerCard(number=7)),),), ("RL-05", "RL-21")),
        ),
    ),
}  # fmt: skip


def follow(hero: HeroInHand, steps: Sequence[Step]) -> None:
    """One edit after the other."""
    release_id = hero.row.release_id
    assert release_id is not None
    for step in steps:
        if isinstance(step, str):
            card = cards_of(release_id).asset(step)
            assert card is not None, step
            hero.edit(h.TakeAsset(card=card.as_asset()))
        else:
            hero.edit(*step)


def errors(hero: HeroInHand) -> set[str]:
    return {found.rule for found in hero.report.findings if found.severity is Severity.ERROR}


@pytest.mark.parametrize("name", HEROES)
def test_a_hero_is_legal_until_he_is_spoiled(name: str, new_hero: Callable[..., HeroInHand]) -> None:
    wanted = HEROES[name]
    wrong = {}
    for number, (spoil, rules) in enumerate(wanted.spoils):
        hero = new_hero(name=name, character=wanted.character)
        follow(hero, wanted.steps)
        assert (errors(hero), hero.report.legal) == (set(), True)
        follow(hero, spoil)
        assert hero.report.legal is False
        if errors(hero) != set(rules):
            wrong[number] = errors(hero)
    assert wrong == {}


def test_ten_heroes() -> None:
    assert len(HEROES) == 10
    assert all(len(hero.spoils) == 3 for hero in HEROES.values())
    assert {hero.character for hero in HEROES.values()} == {CAPTAIN, ASSASSIN, SISTER, PSYKER, TRADER, VETERAN}
