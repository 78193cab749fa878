"""A published unit: who may take it, in which role and detachments, and which lists of one's own it can be added to."""

from collections.abc import Callable

import pytest

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import services
from armybuilder.armylists.errors import EditRefused, NotFound
from armybuilder.armylists.history import history
from armybuilder.armylists.openings import add_published_unit, open_lists
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference.models import BattlefieldRole, Detachment, Faction, Slot, UnitEntry
from armybuilder.reference.reverse_search import role_places, takers
from tests.armylists.conftest import ALLIED, AUXILIA, PRIMARY, SONS, Muster

SQUAD = "hh-la-tactical-squad"


def sold(system: PublishedSystem, catalogue_id: str, name: str, entry_id: str, **members: object) -> UnitEntry:
    """A unit of the army list of a catalogue."""
    release = system.current_release
    known = {"name": catalogue_id, "catalogue_id": catalogue_id, "release": release}
    faction, _ = Faction.objects.get_or_create(system=system, key=catalogue_id, defaults=known)
    return UnitEntry.objects.create(
        faction=faction, release=release, name=name, entry_id=entry_id, points=100, search_text="", **members
    )


@pytest.fixture
def squad(heresy: PublishedSystem) -> UnitEntry:
    """Troops of the Sons of Horus."""
    troops = BattlefieldRole.objects.create(system=heresy, key="troops", name="Troops")
    for entry_id, minimum, maximum in ((PRIMARY, 2, 6), (ALLIED, 1, 2), ("hh-force-lord-of-war", 0, 0)):
        Slot.objects.create(
            detachment=Detachment.objects.get(entry_id=entry_id), role=troops, minimum=minimum, maximum=maximum
        )
    return sold(heresy, SONS, "Tactical Squad", SQUAD, role=troops)


def test_the_same_entry_or_name_is_the_same_unit(heresy: PublishedSystem, squad: UnitEntry) -> None:
    same_entry = sold(heresy, "legion-a", "Line Squad", f"some-link::{SQUAD}")
    same_name = sold(heresy, "legion-b", "Tactical Squad", "another-entry")
    sold(heresy, "legion-c", "Tactical Squad, Veteran", f"{SQUAD}-veteran")
    everybody = {squad, same_entry, same_name}
    assert set(takers(squad)) == everybody
    assert set(takers(same_entry)) == {squad, same_entry}


def test_detachments_with_a_place_for_its_role(squad: UnitEntry) -> None:
    (places,) = role_places([squad])
    assert places.role.key == "troops"
    assert [(slot.detachment.type, slot.minimum, slot.maximum) for slot in places.slots] == [
        ("primary", 2, 6),
        ("allied", 1, 2),
    ]


def test_lists_with_a_detachment_of_its_army_list_take_it(squad: UnitEntry, muster: Callable[..., Muster]) -> None:
    sons = muster(name="Sons")
    allied = muster(name="Allied", catalogue_id=AUXILIA)
    force_id = allied.detachment(ALLIED, SONS)
    muster(name="Auxilia", catalogue_id=AUXILIA)
    offered = open_lists(sons.viewer, squad)
    found = {one.army_list.name: [opening.force_id for opening in one.openings] for one in offered}
    assert found == {"Sons": [sons.force_id], "Allied": [force_id]}


def test_it_is_added_by_the_ordinary_edit(squad: UnitEntry, muster: Callable[..., Muster]) -> None:
    army = muster()
    result = add_published_unit(army.viewer, squad, to_list_id=army.list_id, force_id=army.force_id)
    assert result.node_id is not None
    assert army.document.places[result.node_id].node.name == "Tactical Squad"
    assert history(army.row)[0].summary.en == "Added Tactical Squad to Primary Detachment, +100 points"
    services.undo(army.viewer, army.list_id, expected_revision=army.row.revision)
    assert result.node_id not in army.document.places


def test_each_army_list_sells_it_by_an_entry_of_its_own(
    heresy: PublishedSystem, squad: UnitEntry, muster: Callable[..., Muster]
) -> None:
    elsewhere = sold(heresy, "legion-b", "Tactical Squad", "another-entry")
    army = muster()
    result = add_published_unit(army.viewer, elsewhere, to_list_id=army.list_id)
    assert result.node_id is not None
    assert army.document.places[result.node_id].node.name == "Tactical Squad"


def test_what_its_data_or_detachment_cannot_take_is_not_offered(
    heresy: PublishedSystem, squad: UnitEntry, muster: Callable[..., Muster]
) -> None:
    newer = sold(heresy, SONS, "New Squad", "not-in-the-data-of-the-list")
    army = muster()
    lord = army.detachment("hh-force-lord-of-war", SONS)
    assert open_lists(army.viewer, newer) == ()
    assert [opening.force_id for opening in open_lists(army.viewer, squad)[0].openings] == [army.force_id]
    for unit, force_id in ((newer, army.force_id), (squad, lord), (squad, "nowhere")):
        with pytest.raises(EditRefused) as refused:
            add_published_unit(army.viewer, unit, to_list_id=army.list_id, force_id=force_id)
        assert refused.value.at == "/force_id"


def test_lists_of_others_stay_as_they_are(squad: UnitEntry, muster: Callable[..., Muster], friend: User) -> None:
    army = muster()
    assert open_lists(Viewer(user=friend), squad) == ()
    with pytest.raises(NotFound):
        add_published_unit(Viewer(user=friend), squad, to_list_id=army.list_id)
    assert army.row.revision == 1
