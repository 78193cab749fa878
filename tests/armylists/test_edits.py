"""What each edit does to a list, in its document and in words, and what is refused with nothing changed."""

from collections.abc import Callable
from typing import Any

import pytest

from armybuilder.armylists import edits as e
from armybuilder.armylists import limits, report_cache, services
from armybuilder.armylists.edits import parse_edits
from armybuilder.armylists.errors import EditRefused, TooLarge
from armybuilder.armylists.history import difference, history
from armybuilder.engine.roster.model import Selection
from armybuilder.engine.roster.state import ForceState
from armybuilder.heroes import edits as h
from armybuilder.heroes.edits import AnyEdit
from tests.armylists.conftest import ALLIED, AUXILIA, PRIMARY, SONS, Muster
from tests.armylists.test_verdicts import unit_named

SQUAD = "hh-la-tactical-squad"
CENTURION_MELEE = "hh-la-centurion-melee-weapon-"
AXE, FIST = f"{CENTURION_MELEE}power-axe::hh-w-power-axe", f"{CENTURION_MELEE}power-fist::hh-w-power-fist"
SPECIAL = "hh-la-tactical-squad-legionaries-legionary-with-special-weapon"


def counts(army: Muster, unit_id: str) -> dict[str, int]:
    """How many of what a unit has, its own children only."""
    unit = army.document.places[unit_id].node
    found: dict[str, int] = {}
    for child in unit.selections:
        found[child.name] = found.get(child.name, 0) + child.amount
    return found


def words(army: Muster) -> tuple[str, str]:
    """The newest line of the history in both languages."""
    summary = history(army.row)[0].summary
    return summary.en, summary.ru


@pytest.fixture
def squad(legal: Muster) -> str:
    """A squad of ten in a legal list."""
    return unit_named(legal, "Tactical Squad")


def test_more_models_cost_more_and_the_history_says_so(legal: Muster, squad: str) -> None:
    result = legal.edit(e.SetAmount(selection_id=legal.find(squad, "Legionary").id, amount=14))
    assert legal.find(squad, "Legionary").amount == 14
    assert words(legal) == (
        "Tactical Squad: 9 → 14 × Legionary, +50 points",
        "Tactical Squad: 9 → 14 × Legionary, +50 очков",
    )
    assert result.summary is not None
    assert result.summary.en == words(legal)[0]
    assert (result.army_list.points, legal.row.points) == (370, 370)


def test_no_models_is_none(legal: Muster, squad: str) -> None:
    legal.edit(e.SetAmount(selection_id=legal.find(squad, "Legionary").id, amount=0))
    assert "Legionary" not in counts(legal, squad)
    assert words(legal)[0] == "Tactical Squad: gave back Legionary, −90 points"


def test_an_option_of_which_one_is_allowed_replaces_the_other(legal: Muster) -> None:
    centurion = legal.unit("hh-la-centurion")
    assert counts(legal, centurion)["Chainsword"] == 1
    legal.edit(e.Select(parent_id=centurion, entry_id=AXE))
    legal.edit(e.Select(parent_id=centurion, entry_id=FIST))
    taken = counts(legal, centurion)
    assert (taken.get("Chainsword"), taken.get("Power Axe"), taken["Power Fist"]) == (None, None, 1)
    assert words(legal)[0].startswith("Centurion: Power Fist instead of Power Axe")
    assert "вместо Power Axe" in words(legal)[1]


def test_taking_the_same_radio_option_again_changes_nothing(legal: Muster) -> None:
    centurion = legal.unit("hh-la-centurion")
    legal.edit(e.Select(parent_id=centurion, entry_id=AXE))
    before = legal.row
    result = legal.edit(e.Select(parent_id=centurion, entry_id=AXE))
    assert result.summary is None
    assert (legal.row.revision, legal.row.document) == (before.revision, before.document)


@pytest.mark.parametrize(("amount", "copies"), [(2, 2), (1, 1), (0, 0)])
def test_an_option_field_takes_separate_copies(amount: int, copies: int, legal: Muster, squad: str) -> None:
    legal.edit(e.SetOptionAmount(parent_id=squad, entry_id=SPECIAL, amount=3))
    assert counts(legal, squad)["Legionary with special weapon"] == 3
    legal.edit(e.SetOptionAmount(parent_id=squad, entry_id=SPECIAL, amount=amount))
    unit = legal.document.places[squad].node
    assert sum(child.name == "Legionary with special weapon" for child in unit.selections) == copies
    assert words(legal)[0].startswith(f"Tactical Squad: 3 → {amount} × Legionary with special weapon")


def test_an_option_field_counts_in_one_selection(legal: Muster, squad: str) -> None:
    entry_id = legal.find(squad, "Legionary").entry_id
    for amount in (14, 3, 0, 7):
        legal.edit(e.SetOptionAmount(parent_id=squad, entry_id=entry_id, amount=amount))
        assert counts(legal, squad).get("Legionary", 0) == amount
    assert sum(child.name == "Legionary" for child in legal.document.places[squad].node.selections) == 1
    assert legal.edit(e.SetOptionAmount(parent_id=squad, entry_id=entry_id, amount=7)).summary is None


def test_one_less(legal: Muster, squad: str) -> None:
    legal.edit(e.Deselect(selection_id=legal.find(squad, "Legionary").id))
    assert counts(legal, squad)["Legionary"] == 8
    assert words(legal)[0] == "Tactical Squad: gave back Legionary, −10 points"


def test_a_unit_comes_with_models_and_goes_with_them(legal: Muster) -> None:
    node_id = legal.unit("hh-la-despoiler-squad")
    assert words(legal)[0] == "Added Despoiler Squad to Primary Detachment, +100 points"
    assert isinstance(legal.document.places[node_id].node, Selection)
    legal.edit(e.Remove(node_id=node_id))
    assert node_id not in legal.document.places
    assert words(legal) == ("Removed Despoiler Squad, −100 points", "Удалено: Despoiler Squad, −100 очков")
    legal.edit(e.Deselect(selection_id=unit_named(legal, "Tactical Squad")))
    assert words(legal)[0] == "Removed Tactical Squad, −100 points"


def test_a_unit_is_duplicated_with_its_options(legal: Muster, squad: str) -> None:
    legal.edit(e.SetAmount(selection_id=legal.find(squad, "Legionary").id, amount=14))
    result = legal.edit(e.Duplicate(node_id=squad))
    assert result.node_id is not None
    assert result.node_id != squad
    assert counts(legal, result.node_id) == counts(legal, squad)
    assert words(legal)[0] == "Duplicated Tactical Squad, +150 points"


def test_a_detachment_is_added_and_removed_with_its_facts(legal: Muster) -> None:
    force_id = legal.detachment(ALLIED, AUXILIA)
    assert words(legal)[0] == "Added Allied Detachment"
    marshal = legal.unit("hh-sa-legate-marshal", force_id=force_id)
    legal.unit_facts(marshal, deployment="reserve", joined_to=unit_named(legal, "Tactical Squad"))
    legal.edit(e.Remove(node_id=force_id))
    assert "units" not in legal.document.facts
    assert legal.report.legal


def test_facts_about_what_is_gone_are_taken_back(legal: Muster, squad: str) -> None:
    praetor = unit_named(legal, "Praetor")
    legal.unit_facts(praetor, joined_to=squad, deployment="reserve")
    legal.edit(e.Remove(node_id=squad))
    assert legal.document.facts["units"] == {praetor: {"deployment": "reserve"}}
    legal.edit(e.Remove(node_id=praetor))
    assert not {"units", "warlord", "warlord_trait"} & legal.document.facts.keys()


def test_a_unit_moves_between_detachments_of_one_catalogue(legal: Muster, squad: str) -> None:
    second = legal.detachment(PRIMARY, SONS)
    before = counts(legal, squad)
    legal.edit(e.Move(node_id=squad, force_id=second))
    assert legal.document.places[squad].force_id == second
    assert counts(legal, squad) == before
    assert words(legal)[0] == "Moved Tactical Squad to Primary Detachment 2"
    other = legal.detachment(ALLIED, AUXILIA)
    with pytest.raises(EditRefused) as refused:
        legal.edit(e.Move(node_id=squad, force_id=other))
    assert refused.value.at == "/force_id"


def test_units_stand_where_the_player_puts_them(legal: Muster, squad: str) -> None:
    despoilers, support = legal.unit("hh-la-despoiler-squad"), legal.unit("hh-la-tactical-support-squad")
    force_id = legal.document.places[squad].force_id

    def troops() -> list[str]:
        shown = legal.report.state.node(force_id)
        assert isinstance(shown, ForceState)
        return [unit.id for unit in shown.selections if unit.id in (squad, despoilers, support)]

    assert troops() == [despoilers, squad, support]  # by name, until somebody puts them into an order
    start = legal.row.revision
    assert legal.edit(e.Move(node_id=despoilers, force_id=force_id, before=squad)).summary is None
    legal.edit(e.Move(node_id=support, force_id=force_id, before=despoilers))
    assert troops() == [support, despoilers, squad]
    assert words(legal) == (
        "Tactical Support Squad now stands before Despoiler Squad",
        "Tactical Support Squad: теперь перед – Despoiler Squad",
    )
    legal.edit(e.Move(node_id=support, force_id=force_id))
    assert troops() == [despoilers, squad, support]
    assert words(legal)[0] == "Tactical Support Squad now stands last"
    services.undo(legal.viewer, legal.row.pk, expected_revision=legal.row.revision)
    assert troops() == [support, despoilers, squad]
    by_hand = legal.row.revision
    (change,) = difference(legal.viewer, legal.row, start, by_hand).changed
    assert (change.node_id, change.lines) == (force_id, ("↕",))
    legal.edit(e.Move(node_id=squad, force_id=force_id, before=support))
    (change,) = difference(legal.viewer, legal.row, by_hand, legal.row.revision).changed
    assert (change.node_id, change.lines) == (squad, ("↕ 4 → 2",))
    added = legal.unit("hh-la-assault-squad")
    assert troops() == [squad, support, despoilers]
    whole = legal.report.state.node(force_id)
    assert isinstance(whole, ForceState)
    assert [unit.id for unit in whole.selections].index(added) == 5  # behind the Troops, whatever its name
    for wrong in (support, "nowhere"):
        with pytest.raises(EditRefused) as refused:
            legal.edit(e.Move(node_id=support, force_id=force_id, before=wrong))
        assert refused.value.at == "/before"


def test_names_and_notes(legal: Muster, squad: str) -> None:
    legal.edit(e.Rename(node_id=squad, name=" Fourth Company "))
    assert words(legal) == ("Tactical Squad is now called “Fourth Company”", "Tactical Squad → «Fourth Company»")
    legal.edit(e.SetNotes(node_id=squad, notes="painted"), e.SetNotes(notes="for the club"))
    document = legal.document
    node = document.places[squad].node
    assert (node.custom_name, node.notes, document.roster.notes) == ("Fourth Company", "painted", "for the club")
    assert words(legal)[0] == "Notes on Fourth Company changed; Notes on the list changed"
    legal.edit(e.Rename(node_id=squad, name=""))
    assert legal.document.places[squad].node.custom_name is None


def test_a_limit_reaches_the_data_and_the_rulebook(legal: Muster) -> None:
    legal.edit(e.SetPointsLimit(points_limit=2500))
    assert legal.document.roster.cost_limits == {"hh-pts": 2500}
    assert words(legal) == ("Points limit: 2,000 → 2,500", "Лимит очков: 2 000 → 2 500")
    legal.edit(e.SetPointsLimit(points_limit=-1))
    assert (legal.row.points_limit, legal.document.roster.cost_limits) == (-1, {})
    assert "HH-04" in legal.rules()
    legal.edit(e.SetPointsLimit(points_limit=None))
    assert words(legal)[1] == "Лимит очков: -1 → нет"


def test_facts_are_stated_changed_and_taken_back(legal: Muster, squad: str) -> None:
    legal.facts(play_mode="open", opponent={"allegiance": "loyalist"})
    assert words(legal) == (
        "kind of game – open, opponent – allegiance Loyalist",
        "вид игры – свободная, противник – верность лоялисты",
    )
    legal.facts(play_mode=None)
    assert legal.document.facts["opponent"] == {"allegiance": "loyalist"}
    assert "play_mode" not in legal.document.facts
    praetor = unit_named(legal, "Praetor")
    legal.unit_facts(praetor, joined_to=squad)
    assert words(legal) == ("Praetor: joins – Tactical Squad", "Praetor: присоединяется к – Tactical Squad")
    legal.unit_facts(praetor, joined_to=None)
    assert "units" not in legal.document.facts


def test_what_was_done_several_times_is_said_once(legal: Muster) -> None:
    """As it was proposed: settling everything told each of the units it added."""
    force = legal.document.roster.forces[0].id
    add = e.AddUnit(force_id=force, entry_id="hh-la-tactical-squad")
    result = services.apply_edits(legal.viewer, legal.list_id, [add] * 3, expected_revision=legal.row.revision)
    assert result.summary.en == "Added 3 × Tactical Squad to Primary Detachment, +300 points"
    assert result.summary.ru.startswith("Добавлено: 3 × Tactical Squad")


def test_several_edits_are_one_revision_or_none(legal: Muster, squad: str) -> None:
    before = legal.row
    legal.edit(e.SetName(name="New"), e.Remove(node_id=squad))
    assert legal.row.revision == before.revision + 1
    assert words(legal)[0] == "The list is now called “New”; Removed Tactical Squad, −100 points"
    now = legal.row
    with pytest.raises(EditRefused) as refused:
        legal.edit(e.SetName(name="Newer"), e.Remove(node_id=squad))
    assert refused.value.at == "/1/node_id"
    assert (legal.row.revision, legal.row.name, legal.row.document) == (now.revision, "New", now.document)


REFUSED: dict[str, tuple[Callable[[Muster, str], e.Edit], str]] = {
    "unknown node": (lambda army, squad: e.Remove(node_id="gone"), "/node_id"),
    "a unit as detachment": (lambda army, squad: e.AddUnit(force_id=squad, entry_id=SQUAD), "/force_id"),
    "a detachment as unit": (lambda army, squad: e.SetAmount(selection_id=army.force_id, amount=2), "/selection_id"),
    "unknown entry": (lambda army, squad: e.AddUnit(force_id=army.force_id, entry_id="dragon"), "/entry_id"),
    "an option that is not offered": (lambda army, squad: e.Select(parent_id=squad, entry_id=FIST), "/entry_id"),
    "an option field that is not offered": (
        lambda army, squad: e.SetOptionAmount(parent_id=squad, entry_id=FIST, amount=2), "/entry_id",
    ),
    "unknown catalogue": (
        lambda army, squad: e.AddDetachment(force_entry_id=ALLIED, catalogue_id="x"), "/catalogue_id",
    ),
    "unknown force entry": (
        lambda army, squad: e.AddDetachment(force_entry_id="x", catalogue_id=SONS), "/force_entry_id",
    ),
    "a list without name": (lambda army, squad: e.SetName(name=" "), "/name"),
    "an unknown fact": (lambda army, squad: e.SetFacts(facts={"mood": "good"}), "/facts/mood"),
    "a fact of the wrong shape": (
        lambda army, squad: e.SetFacts(facts={"base_reactions": "x"}), "/facts/base_reactions",
    ),
    "units by the wrong edit": (lambda army, squad: e.SetFacts(facts={"units": {}}), "/facts/units"),
    "a warlord who is not there": (lambda army, squad: e.SetWarlord(node_id="gone"), "/node_id"),
    "a warlord by facts who is not there": (lambda army, squad: e.SetFacts(facts={"warlord": "x"}), "/facts/warlord"),
    "a host who is not there": (
        lambda army, squad: e.SetUnitFacts(node_id=squad, facts={"joined_to": "x"}), "/facts/joined_to",
    ),
    "a deployment that does not exist": (
        lambda army, squad: e.SetUnitFacts(node_id=squad, facts={"deployment": "moon"}), "/facts/deployment",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_a_refused_edit_changes_nothing(case: str, legal: Muster, squad: str) -> None:
    make, at = REFUSED[case]
    before = legal.row
    with pytest.raises(EditRefused) as refused:
        legal.edit(make(legal, squad))
    assert refused.value.at == at
    assert refused.value.text.ru != refused.value.text.en
    assert (legal.row.revision, legal.row.document) == (before.revision, before.document)


@pytest.mark.parametrize(
    ("case", "limit", "value", "edit"),
    [
        ("selections", "SELECTIONS", 30, lambda army, squad: e.AddUnit(force_id=army.force_id, entry_id=SQUAD)),
        ("detachments", "FORCES", 1, lambda army, squad: e.AddDetachment(force_entry_id=PRIMARY, catalogue_id=SONS)),
        ("copies", "COPIES", 5, lambda army, squad: e.SetOptionAmount(parent_id=squad, entry_id=SPECIAL, amount=9)),
        ("bytes", "DOCUMENT_BYTES", 5000, lambda army, squad: e.SetNotes(notes="x" * 3000)),
        ("facts", "FACTS_BYTES", 80, lambda army, squad: e.SetFacts(facts={"allowed_warlord_traits": ["x" * 80]})),
    ],
)
def test_a_list_has_limits(
    case: str,
    limit: str,
    value: int,
    edit: Callable[[Muster, str], e.Edit],
    legal: Muster,
    squad: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    legal.edit(edit(legal, squad)) if case in ("bytes",) else None
    before = legal.row
    monkeypatch.setattr(limits, limit, value)
    with pytest.raises(TooLarge):
        legal.edit(edit(legal, squad) if case != "bytes" else e.SetNotes(notes="y" * 3500))
    assert (legal.row.revision, legal.row.document) == (before.revision, before.document)


@pytest.mark.parametrize(
    ("raw", "at"),
    [
        ({"edit": "explode"}, "/edit"),
        ({"edit": "remove"}, "/node_id"),
        ({"edit": "set_amount", "selection_id": "a", "amount": -1}, "/amount"),
        ({"edit": "set_amount", "selection_id": "a", "amount": 10**6}, "/amount"),
        ({"edit": "set_amount", "selection_id": "a", "amount": 1.5}, "/amount"),
        ({"edit": "set_points_limit", "points_limit": 10**9}, "/points_limit"),
        ({"edit": "rename", "node_id": "a", "name": "x" * 121}, "/name"),
        ({"edit": "set_name", "name": ""}, "/name"),
        ({"edits": [{"edit": "remove", "node_id": "a"}, {"edit": "remove", "node": "b"}]}, "/edits/1/node"),
        ([{"edit": "remove", "node_id": 7}], "/0/node_id"),
        ([], ""),
        ("remove", ""),
    ],
)
def test_json_that_is_no_edit_is_refused_with_its_pointer(raw: Any, at: str) -> None:
    with pytest.raises(EditRefused) as refused:
        parse_edits(raw, AnyEdit)
    assert refused.value.at == at


def test_too_many_edits_at_once() -> None:
    with pytest.raises(TooLarge):
        parse_edits([{"edit": "remove", "node_id": "a"}] * 101, AnyEdit)
    assert parse_edits({"edit": "remove", "node_id": "a"}, AnyEdit) == (e.Remove(node_id="a"),)


def test_the_difference_between_two_revisions(legal: Muster, squad: str) -> None:
    start = legal.row.revision
    praetor = unit_named(legal, "Praetor")
    legal.edit(e.SetAmount(selection_id=legal.find(squad, "Legionary").id, amount=14))
    legal.edit(e.SetOptionAmount(parent_id=squad, entry_id=SPECIAL, amount=1))
    legal.unit("hh-la-despoiler-squad")
    legal.edit(e.Remove(node_id=praetor), e.SetName(name="Second draft"), e.SetPointsLimit(points_limit=2500))
    found = difference(legal.viewer, legal.row, start, legal.row.revision)
    assert (found.added, found.removed) == (("Despoiler Squad",), ("Praetor",))
    (changed,) = found.changed
    assert changed.node_id == squad
    assert "9 → 14 × Legionary" in changed.lines
    assert "+ 1 × Legionary with special weapon" in changed.lines
    assert (found.renamed, found.limit) == (("First draft", "Second draft"), (2000, 2500))
    assert {text.en for text in found.facts} == {"warlord", "warlord trait"}
    assert found.change == legal.row.points - 320
    assert difference(legal.viewer, legal.row, start, start).is_empty


def test_the_history_costs_one_query(legal: Muster, django_assert_num_queries: Callable[[int], Any]) -> None:
    row = legal.row
    with django_assert_num_queries(1):
        entries = history(row)
    assert [entry.number for entry in entries] == [3, 2, 1]
    assert [entry.change for entry in entries] == [0, 320, None]
    assert [entry.is_present for entry in entries] == [True, False, False]
    assert len(history(row, newest=2)) == 2


def test_an_edit_checks_against_the_state_before_and_agrees_with_a_full_check(legal: Muster, squad: str) -> None:
    result = legal.edit(e.SetAmount(selection_id=legal.find(squad, "Legionary").id, amount=30))
    report_cache.forget()
    fresh = legal.report
    assert [f.message for f in result.report.findings] == [f.message for f in fresh.findings]
    assert result.report.points == fresh.points


def test_edits_for_heroes_are_refused_by_armies(draft: Muster) -> None:
    with pytest.raises(EditRefused) as refused:
        draft.edit(h.SetDial(dial="life", value=3))
    assert refused.value.at == "/edit"
