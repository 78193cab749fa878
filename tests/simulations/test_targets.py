"""Targets a player saves: whose they are, what is refused, and the shipped yardsticks."""

from contextlib import suppress
from decimal import Decimal
from typing import Any
from uuid import UUID

import msgspec
import pytest

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists.errors import NotFound
from armybuilder.engine.errors import BadDocument, LimitExceeded
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.game import LIST_RULES, has_matchups, matchup_rules_of, target_book_of
from armybuilder.engine.systems.target_profiles import kind_of, read_side, written_side
from armybuilder.reference.names import AS_THEY_ARE
from armybuilder.simulations import targets
from armybuilder.simulations.models import SavedTarget
from armybuilder.simulations.upgrades import measured, upgrade, upgrade_result
from armybuilder.web.pages.upgrade_answers import upgrade_view
from tests.simulations.test_upgrades import OGRE

pytestmark = pytest.mark.both_databases

GAMES = [system for system in LIST_RULES if has_matchups(system) and target_book_of(system) is not None]


@pytest.fixture
def viewer(owner: User) -> Viewer:
    return Viewer(user=owner)


def save(viewer: Viewer, **facts: Any) -> SavedTarget:
    given: dict[str, Any] = {"system": "horus-heresy", "name": "My ogre", "points": Decimal(50), "side": OGRE}
    return targets.save_target(viewer, **given | facts)


def test_a_target_is_kept_changed_and_deleted(viewer: Viewer) -> None:
    target = save(viewer)
    assert targets.side_of(target) == OGRE
    (fighter,) = targets.army_of_saved_target(viewer, target.pk).fighters
    assert (fighter.name, fighter.points, fighter.models) == ("My ogre", Decimal(50), 3)
    changed = targets.change_target(viewer, target.pk, name="Ogres", points=Decimal(75), side=OGRE)
    assert (changed.name, changed.points) == ("Ogres", Decimal(75))
    assert [row.name for row in targets.saved_targets_of(viewer, system="horus-heresy")] == ["Ogres"]
    assert not targets.saved_targets_of(viewer, system="relic").exists()
    targets.delete_target(viewer, target.pk)
    assert not SavedTarget.objects.exists()


def test_targets_of_others_are_not_found_and_stay(viewer: Viewer, stranger: User, guest: Viewer) -> None:
    target = save(viewer)
    before = list(SavedTarget.objects.values())
    for other in (Viewer(user=stranger), guest, Viewer()):
        assert not targets.saved_targets_of(other).exists()
        for write in (
            lambda other: targets.saved_target(other, target.pk),
            lambda other: targets.change_target(other, target.pk, name="x", points=Decimal(1), side=OGRE),
            lambda other: targets.delete_target(other, target.pk),
            lambda other: targets.army_of_saved_target(other, target.pk),
        ):
            with pytest.raises(NotFound):
                write(other)
    assert list(SavedTarget.objects.values()) == before


def test_a_guest_takes_his_targets_along(guest: Viewer, owner: User, viewer: Viewer) -> None:
    target = save(guest)
    assert isinstance(guest.guest_key, UUID)
    assert targets.claim_guest_targets(owner, guest.guest_key) == 1
    assert targets.saved_target(viewer, target.pk).name == "My ogre"
    with pytest.raises(NotFound):
        targets.saved_target(guest, target.pk)


@pytest.mark.parametrize(
    ("case", "facts", "refusal", "at"),
    [
        ("no such game", {"system": "chess"}, BadDocument, "/system"),
        ("a game without fights", {"system": "relic"}, BadDocument, "/system"),
        ("no models", {"side": {"models": []}}, BadDocument, "/side/models"),
        ("an unknown member", {"side": {**OGRE, "mood": "bad"}}, BadDocument, "/side/mood"),
        (
            "more models than anybody simulates",
            {"side": {"models": [{"name": "x", "count": 100_000, "profile": {"T": 4}}]}},
            LimitExceeded,
            "/attacker/models/0/count",
        ),
        ("more than a unit has", {"side": {**OGRE, "rules": ["Fear " * 5_000]}}, LimitExceeded, "/side"),
    ],
)
def test_what_cannot_fight_is_not_kept(
    case: str, facts: dict[str, Any], refusal: type[Exception], at: str, viewer: Viewer
) -> None:
    with pytest.raises(refusal) as refused:
        save(viewer, **facts)
    assert refused.value.at == at, case  # type: ignore[attr-defined]
    assert not SavedTarget.objects.exists()


def test_nobody_keeps_targets_without_end(viewer: Viewer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "TARGETS_OF_A_PLAYER", 1)
    save(viewer)
    with pytest.raises(LimitExceeded, match="You have 1 targets"):
        save(viewer)
    assert SavedTarget.objects.count() == 1


@pytest.mark.parametrize("system", GAMES)
def test_every_yardstick_can_be_fought(system: str) -> None:
    """In both languages, with a key of its own, and every attack on it can be put as a document."""
    known = targets.standard_targets(system)
    assert len({target.key for target in known}) == len(known) >= 3
    field = matchup_rules_of(system)
    for target in known:
        assert target.points > 0
        assert target.name.en != target.name.ru
        (fighter,) = targets.army_of_standard_target(f"{system}/{target.key}", at="").fighters
        assert fighter.models > 0
        first = targets.army_of_standard_target(f"{system}/{known[0].key}", at="").fighters[0]
        documents = []
        for attack in field.attacks:
            with suppress(BadDocument):  # not every unit has something to shoot with
                documents.append(field.matchup(attack, first, fighter, conditions=field.conditions()))
        assert documents
        assert targets.standard_name(system, target.name.en) == target.name


@pytest.mark.parametrize("system", GAMES)
def test_every_field_of_the_form_stands_in_the_side(system: str) -> None:
    book = target_book_of(system)
    assert book is not None
    side = book.side
    kinds = {one.name: kind_of(side, one.pointer) for one in book.fields}
    assert len(kinds) == len(book.fields)
    for one in book.fields:
        kind, choices = kinds[one.name]
        assert kind != "choice" or one.default in ("", *choices)
    given = {one.name: one.default for one in book.fields}
    typed: dict[str, Any] = {}
    for name, (kind, _) in kinds.items():
        if given[name]:
            is_number = kind == "number" or (kind == "mixed" and given[name].isdigit())
            typed[name] = int(given[name]) if is_number else [given[name]] if kind == "texts" else given[name]
    written = written_side(typed, book, name="Mine")
    assert msgspec.convert(written, side)
    shown = read_side(written, book.fields)
    assert all(typed[name] == value for name, value in shown.items())
    assert len(shown) >= 5


@pytest.mark.parametrize("system", GAMES)
def test_an_option_can_be_measured_in_every_game(system: str) -> None:
    """Two yardsticks as the builds of one unit, against all of them: some attack tells them apart."""
    armies = [targets.army_of_standard_target(f"{system}/{one.key}", at="") for one in targets.standard_targets(system)]
    question = upgrade(
        Text("Something", "Что-то"),
        is_taken=False,
        without=armies[0],
        having=armies[1],
        targets=armies,
        conditions=matchup_rules_of(system).conditions(),
    )
    parts = [measured(question, index, progress=lambda share: None) for index in range(len(armies))]
    result = upgrade_result(question, parts)
    assert [target["name"] for target in result["targets"]] == [army.name for army in armies]
    changes = [row["change"] for target in result["targets"] for row in target["attacks"]]
    assert any(abs(change) > 0.1 for change in changes)
    view = upgrade_view(result, AS_THEY_ARE)
    assert view.best
    assert any(target.rows for target in view.targets)
