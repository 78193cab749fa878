"""A unit copied into another list: what goes with it, what stays behind, and what is refused."""

from collections.abc import Callable

import pytest

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import services
from armybuilder.armylists.copying import copy_targets
from armybuilder.armylists.errors import EditRefused, NotFound
from armybuilder.armylists.history import history
from tests.armylists.conftest import ALLIED, AUXILIA, FIXTURES, SONS, Muster, fixture_library, shipped_game
from tests.armylists.test_edits import counts
from tests.armylists.test_verdicts import unit_named


@pytest.fixture
def squad(legal: Muster) -> str:
    """A squad of fifteen with a name, notes and facts of its own."""
    node_id = unit_named(legal, "Tactical Squad")
    legal.edit(e.SetAmount(selection_id=legal.find(node_id, "Legionary").id, amount=14))
    legal.edit(e.Rename(node_id=node_id, name="First"))
    legal.unit_facts(node_id, deployment="reserve")
    return node_id


def test_a_unit_goes_with_all_it_has(legal: Muster, squad: str, muster: Callable[..., Muster]) -> None:
    other = muster(name="Second army")
    before = legal.row.revision
    result = services.copy_unit(legal.viewer, legal.list_id, squad, to_list_id=other.list_id)
    assert result.node_id is not None
    assert result.army_list.pk == other.list_id
    assert counts(other, result.node_id) == counts(legal, squad)
    assert other.document.places[result.node_id].node.custom_name == "First"
    assert other.document.facts_of(result.node_id) == {"deployment": "reserve"}
    assert not set(other.document.places) & set(legal.document.places)
    assert legal.row.revision == before
    summary = history(other.row)[0].summary
    assert summary.en == "Copied First from “First draft”, +150 points"
    assert summary.ru == "Скопировано: First – из «First draft», +150 очков"
    services.undo(other.viewer, other.list_id, expected_revision=other.row.revision)
    assert result.node_id not in other.document.places


def test_whom_it_has_joined_stays_behind(legal: Muster, squad: str, muster: Callable[..., Muster]) -> None:
    praetor = unit_named(legal, "Praetor")
    legal.unit_facts(praetor, joined_to=squad, deployment="reserve")
    other = muster(name="Second army")
    result = services.copy_unit(legal.viewer, legal.list_id, praetor, to_list_id=other.list_id)
    assert result.node_id is not None
    assert other.document.facts_of(result.node_id) == {"deployment": "reserve"}
    assert "warlord" not in other.document.facts


def test_lists_with_a_fitting_detachment_are_offered(legal: Muster, squad: str, muster: Callable[..., Muster]) -> None:
    sons = muster(name="Sons")
    allied = muster(name="Allied", catalogue_id=AUXILIA)
    muster(name="Auxilia", catalogue_id=AUXILIA)
    force_id = allied.detachment(ALLIED, SONS)
    offered = {target.army_list.name: target.detachments for target in copy_targets(legal.viewer, legal.row, squad)}
    assert offered == {
        "Allied": ((force_id, "Allied Detachment"),),
        "Sons": ((sons.force_id, "Primary Detachment"),),
    }
    result = services.copy_unit(legal.viewer, legal.list_id, squad, to_list_id=allied.list_id)
    assert result.node_id is not None
    assert allied.document.places[result.node_id].force_id == force_id


def test_what_cannot_take_it_is_refused_and_stays_as_it_was(
    legal: Muster, squad: str, muster: Callable[..., Muster], friend: User
) -> None:
    auxilia = muster(name="Auxilia", catalogue_id=AUXILIA)
    before = auxilia.row.document
    for force_id in (None, auxilia.force_id, "nowhere"):
        with pytest.raises(EditRefused, match="Auxilia") as refused:
            services.copy_unit(legal.viewer, legal.list_id, squad, to_list_id=auxilia.list_id, force_id=force_id)
        assert refused.value.at == "/force_id"
    assert (auxilia.row.document, auxilia.row.revision) == (before, 1)
    with pytest.raises(NotFound):
        services.copy_unit(legal.viewer, legal.list_id, legal.find(squad, "Legionary").id, to_list_id=auxilia.list_id)
    with pytest.raises(NotFound):
        services.copy_unit(Viewer(user=friend), legal.list_id, squad, to_list_id=auxilia.list_id)


def test_a_list_of_other_data_takes_nothing(legal: Muster, squad: str) -> None:
    fantasy = shipped_game("fantasy-8th")
    from_data = services.create_army_list(
        legal.viewer,
        system_id=fantasy.pk,
        name="Elsewhere",
        catalogue_id=fixture_library(FIXTURES.parent / "fantasy-8th").catalogues[0].id,
    )
    with pytest.raises(EditRefused, match="other game data") as refused:
        services.copy_unit(legal.viewer, legal.list_id, squad, to_list_id=from_data.pk)
    assert refused.value.at == "/list_id"
