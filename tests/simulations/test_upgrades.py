"""What an option buys: the same unit without it and with it, against targets of every origin."""

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import services as lists
from armybuilder.armylists.errors import EditRefused, NotFound
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.roster.available_options import OfferGroup, offers
from armybuilder.simulations import services, targets
from armybuilder.simulations.models import Computation, SimulationRun
from tests.armylists.conftest import Muster, fixture_library, heresy, muster, viewer
from tests.simulations.test_matrices import answer

__all__ = ["heresy", "muster", "viewer"]

MARINES = {"standard": "horus-heresy/power-armour"}
TANK = {"standard": "horus-heresy/battle-tank"}
OGRE = {
    "models": [
        {
            "name": "Ogre",
            "count": 3,
            "profile": {"WS": 4, "BS": 3, "S": 5, "T": 5, "W": 3, "I": 2, "A": 3, "Ld": 7, "Sv": "5+"},
            "weapons": [{"name": "Club", "type": "Melee", "S": "User"}],
        }
    ]
}


def option_of(army: Muster, unit: str, name: str) -> dict[str, str]:
    """An option of a unit, wherever it stands in it, by its name."""
    state = army.report.state

    def among(offered: Any, node_id: str) -> dict[str, str] | None:
        for item in offered:
            if isinstance(item, OfferGroup):
                found = among(item.offers, node_id)
            elif item.name == name:
                found = {"parent_id": node_id, "entry_id": item.entry_id}
            else:
                found = next(filter(None, (below(one) for one in item.selection_ids)), None)
            if found:
                return found
        return None

    def below(node_id: str) -> dict[str, str] | None:
        return among(offers(fixture_library(), state, node_id=node_id), node_id)

    found = below(unit)
    assert found, name
    return found


def asked(army: Muster, unit: str, option: dict[str, str], **facts: Any) -> dict[str, Any]:
    return {
        "kind": "upgrade",
        "army": {"list": str(army.list_id)},
        "unit": unit,
        "option": option,
        "targets": [MARINES, TANK],
        "conditions": {"distance": 10},
    } | facts


def attack_on(result: Any, target: int, attack: str, way: str = "forth") -> Any:
    return next(row for row in result["targets"][target]["attacks"] if (row["attack"], row["way"]) == (attack, way))


@pytest.fixture
def army(muster: Callable[..., Muster]) -> Muster:
    """A list with a Tactical Squad and a Predator."""
    army = muster(name="Mine")
    army.unit("hh-la-tactical-squad")
    army.unit("hh-la-predator-squadron")
    return army


def units(army: Muster) -> tuple[str, str]:
    squad, tank = (unit.id for unit in army.document.roster.forces[0].selections)
    return squad, tank


def test_a_power_fist_helps_in_an_assault_and_nowhere_else(army: Muster, viewer: Viewer) -> None:
    squad, _ = units(army)
    before = army.row.document
    result = answer(viewer, asked(army, squad, option_of(army, squad, "Power Fist")))
    assert army.row.document == before
    assert (result["kind"], result["method"], result["option"]) == ("upgrade", "exact", "Power Fist")
    assert (result["is_taken"], result["price"]) == (False, 15.0)
    assert result["with"]["points"] - result["without"]["points"] == 15.0
    assert [target["name"] for target in result["targets"]] == [
        "10 Legionaries (T4, 3+)",
        "Battle tank (13/12/10, 4 HP)",
    ]
    shooting, assault = attack_on(result, 0, "shooting"), attack_on(result, 0, "assault")
    assert (shooting["change"], shooting["without"]["spread"] > 0) == (0.0, True)
    assert assault["change"] > 0.1
    assert assault["return_on_price"] == pytest.approx(assault["points_change"] / 15.0)
    at_tank = attack_on(result, 1, "assault")
    assert at_tank["with"]["counted"] in ("hull_points_lost", "wounds_lost")
    assert at_tank["with"]["mean"] > at_tank["without"].get("mean", 0.0)
    assert sum(assault["with"]["distribution"].values()) == pytest.approx(1.0)
    assert assault["with"]["chances"]["p_win"] > assault["without"]["chances"]["p_win"]
    assert "modelled" in result
    assert len(result["assumptions"]) == len(result["x-ru"]["assumptions"])


def test_an_answer_is_what_two_lists_would_say(army: Muster, viewer: Viewer) -> None:
    """The comparison agrees with pairs of the list before and after the option is really taken."""
    squad, _ = units(army)
    option = option_of(army, squad, "Power Fist")
    compared = answer(viewer, asked(army, squad, option))
    pair = {"kind": "pair", "attacker": {"list": str(army.list_id)}, "attacker_unit": squad, "defender": MARINES}
    pair["conditions"] = {"distance": 10}
    for build in ("without", "with"):
        found = answer(viewer, pair)
        for way in ("forth", "back"):
            for attack in ("shooting", "assault"):
                row = attack_on(compared, 0, attack, way)[build]
                assert row["mean"] == pytest.approx(found[way][attack]["metrics"]["models_slain"], abs=1e-9), attack
        army.edit(e.Select(**option))
    taken = answer(viewer, asked(army, squad, option))
    assert taken["is_taken"] is True
    assert taken["targets"] == compared["targets"]
    assert {key: taken[key] for key in ("with", "without", "price")} == {
        key: compared[key] for key in ("with", "without", "price")
    }


def test_better_armour_is_seen_on_the_way_back(army: Muster, viewer: Viewer) -> None:
    squad, _ = units(army)
    option = option_of(army, squad, "Artificer Armour")
    result = answer(viewer, asked(army, squad, option))
    back = attack_on(result, 0, "shooting", "back")
    assert back["change"] < 0 == attack_on(result, 0, "shooting")["change"]


def test_a_choice_is_compared_with_its_default_and_a_counted_model_with_one_fewer(army: Muster, viewer: Viewer) -> None:
    squad, tank = units(army)
    lascannon = option_of(army, tank, "Gravis Lascannon")
    army.edit(e.Select(**lascannon))
    result = answer(viewer, asked(army, tank, lascannon))
    assert (result["is_taken"], result["price"]) == (True, 30.0)
    assert attack_on(result, 1, "shooting")["change"] > 0
    models = option_of(army, squad, "Legionary")
    result = answer(viewer, asked(army, squad, models))
    assert (result["without"]["models"], result["with"]["models"]) == (10, 11)
    army.edit(e.SetOptionAmount(**models, amount=12))
    result = answer(viewer, asked(army, squad, models))
    assert (result["is_taken"], result["without"]["models"], result["with"]["models"]) == (True, 10, 13)


def test_edits_say_what_they_would_do(army: Muster, viewer: Viewer) -> None:
    squad, _ = units(army)
    option = option_of(army, squad, "Legionary")
    edits = [{"edit": "set_option_amount", **option, "amount": 14}]
    request = asked(army, squad, option, edits=edits)
    del request["option"]
    result = answer(viewer, request)
    assert (result["without"]["models"], result["with"]["models"], result["price"]) == (10, 15, 50.0)
    assert "9 → 14" in result["option"]
    assert "9 → 14" in result["x-ru"]["option"]


def test_what_is_not_understood_is_said(army: Muster, viewer: Viewer) -> None:
    squad, _ = units(army)
    option = option_of(army, squad, "Meltabombs")
    result = answer(viewer, asked(army, squad, option))
    assert set(result["with"]["unknown"]) - set(result["without"]["unknown"]) == {"Meltabombs"}
    assert {row["change"] for target in result["targets"] for row in target["attacks"]} == {0.0}


@pytest.mark.both_databases
def test_targets_of_every_origin(army: Muster, muster: Callable[..., Muster], viewer: Viewer) -> None:
    squad, tank = units(army)
    theirs = muster(name="Theirs")
    enemy = theirs.unit("hh-la-praetor")
    link = lists.publish_share_link(theirs.viewer, theirs.list_id)
    saved = targets.save_target(viewer, system="horus-heresy", name="My ogre", points=Decimal(50), side=OGRE)
    option = option_of(army, squad, "Power Fist")
    named = [
        {"list": str(army.list_id), "unit": tank},
        {"share": link.token},
        {"share": link.token, "unit": enemy},
        {"target": str(saved.pk)},
        {"custom": {"system": "horus-heresy", "name": "By hand", "points": 50, "side": OGRE}},
    ]
    result = answer(viewer, asked(army, squad, option, targets=named))
    assert [target["name"] for target in result["targets"]] == [
        "Predator Squadron", "Praetor", "Praetor", "My ogre", "By hand",
    ]  # fmt: skip
    saved_one, by_hand = result["targets"][3:]
    assert {**saved_one, "name": "", "army": ""} == {**by_hand, "name": "", "army": ""}
    matrix = answer(
        viewer,
        {"kind": "matrix", "attacker": {"list": str(army.list_id)}, "defender": {"target": str(saved.pk)}},
    )
    assert [len(row) for row in matrix["forth"]] == [1, 1]
    assert matrix["forth"][0][0]["models_slain"] > 0


@pytest.mark.both_databases
def test_one_question_is_worked_out_once_target_by_target(army: Muster, viewer: Viewer) -> None:
    squad, _ = units(army)
    request = asked(army, squad, option_of(army, squad, "Power Fist"))
    first = answer(viewer, request)
    assert answer(viewer, request) == first
    assert Computation.objects.get().chunk_count == 2
    assert SimulationRun.objects.count() == 2
    assert SimulationRun.objects.first().title == "Tactical Squad: Power Fist"  # type: ignore[union-attr]


@pytest.mark.both_databases
def test_nobody_measures_with_what_belongs_to_others(
    army: Muster, viewer: Viewer, stranger: User, guest: Viewer
) -> None:
    squad, _ = units(army)
    option = option_of(army, squad, "Power Fist")
    saved = targets.save_target(viewer, system="horus-heresy", name="My ogre", points=Decimal(50), side=OGRE)
    for other in (Viewer(user=stranger), guest):
        with pytest.raises(NotFound):
            services.request_simulation(other, asked(army, squad, option))
        pair = {"kind": "pair", "attacker": MARINES, "defender": {"target": str(saved.pk)}}
        with pytest.raises(NotFound):
            services.request_simulation(other, pair)
    assert (SimulationRun.objects.count(), Computation.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    ("case", "facts", "refusal", "at"),
    [
        ("no such option", {"option": {"parent_id": "x", "entry_id": "y"}}, EditRefused, "/option/entry_id"),
        ("an edit that is none", {"option": None, "edits": [{"edit": "x"}]}, EditRefused, "/edits/0/edit"),
        ("neither option nor edits", {"option": None}, BadDocument, "/option"),
        ("no targets", {"targets": []}, BadDocument, "/targets"),
        ("too many targets", {"targets": [MARINES] * 13}, BadDocument, "/targets"),
        ("no such unit", {"unit": "x"}, NotFound, None),
        ("an unknown yardstick", {"targets": [{"standard": "horus-heresy/x"}]}, BadDocument, "/targets/0/standard"),
        ("two at once", {"targets": [MARINES | {"target": str(uuid4())}]}, BadDocument, "/targets/0"),
        ("a list without a unit", {"targets": [{"list": "MINE"}]}, BadDocument, "/targets/0/unit"),
        ("an unknown circumstance", {"conditions": {"weather": 1}}, BadDocument, "/conditions/weather"),
        (
            "a side that is none",
            {"targets": [{"custom": {"system": "horus-heresy", "name": "x", "side": {"models": []}}}]},
            BadDocument,
            "/targets/0/custom/side/models",
        ),
        (
            "a game without fights",
            {"targets": [{"custom": {"system": "relic", "name": "x", "side": {}}}]},
            BadDocument,
            "/targets/0/custom/system",
        ),
    ],
)
def test_what_cannot_be_compared_is_refused(
    case: str, facts: dict[str, Any], refusal: type[Exception], at: str | None, army: Muster, viewer: Viewer
) -> None:
    squad, _ = units(army)
    text = json.dumps(asked(army, squad, option_of(army, squad, "Power Fist")) | facts)
    with pytest.raises(refusal) as refused:
        services.request_simulation(viewer, json.loads(text.replace("MINE", str(army.list_id))))
    assert getattr(refused.value, "at", None) == at, case
    assert not SimulationRun.objects.exists()


def test_a_transport_of_its_own_is_no_upgrade(army: Muster, viewer: Viewer) -> None:
    squad, _ = units(army)
    with pytest.raises(BadDocument, match="Rhino fights as a unit of its own"):
        services.request_simulation(viewer, asked(army, squad, option_of(army, squad, "Rhino")))
