"""Lists of the community's data put together at random, the same for the same seed."""

from collections.abc import Iterator
from itertools import count
from random import Random

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import services
from armybuilder.armylists.documents import ListDocument
from armybuilder.armylists.exports.files import plain_sheet_of
from armybuilder.armylists.first_detachment import primary_force_entry
from armybuilder.armylists.models import ArmyList
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.engine.findings import Text
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.roster import edits
from armybuilder.engine.roster.available_options import Offer, OfferGroup, offers
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.model import Roster
from armybuilder.engine.systems.roster_reading.points_cost import points_type

LIMIT = 2000


def random_list(viewer: Viewer, system: PublishedSystem, library: Library, catalogue: str, seed: int) -> ArmyList:
    """A stored list: three to seven units with what may be taken in them, a name, a note, perhaps a leader."""
    rng = Random(f"{catalogue} {seed}")
    numbers = count(1)

    def new_id() -> str:
        return f"n{next(numbers)}"

    catalogue_id = next(one.id for one in library.catalogues if one.name.startswith(catalogue))
    roster = edits.new_roster(library, name="Autumn muster", new_id=new_id).roster
    force = edits.add_force(
        library,
        roster,
        force_entry_id=primary_force_entry(system.pk, library, catalogue_id),
        catalogue_id=catalogue_id,
        new_id=new_id,
    )
    roster = force.roster
    assert force.node_id is not None
    costs = points_type(library.cost_types)
    if costs is not None:
        roster = edits.set_cost_limit(roster, type_id=costs, value=LIMIT).roster
    for _ in range(rng.randint(3, 7)):
        open_units = [one for one, _ in grouped(offers(library, evaluate(library, roster), node_id=force.node_id))]
        units = [one for one in open_units if one.available and one.type != "upgrade"]
        if units:
            chosen = rng.choice(units)
            taken = edits.select(library, roster, parent_id=force.node_id, entry_id=chosen.entry_id, new_id=new_id)
            assert taken.node_id is not None
            roster = _filled(library, taken.roster, taken.node_id, rng, new_id)
    roster = edits.fill_automatic(library, roster, new_id=new_id).roster
    row = services.store_restored(
        viewer,
        document=ListDocument(roster=roster, facts={}),
        system=system,
        release_id=system.current_release_id,  # type: ignore[arg-type]
        points_limit=LIMIT,
        folder="",
        tags=(),
        summary=Text("made", "создан"),
    )
    chosen_units = [unit.id for unit in plain_sheet_of(row).units]
    named = e.Rename(node_id=rng.choice(chosen_units), name="Ash Hounds")
    services.apply_edit(viewer, row.pk, named, expected_revision=row.revision)
    return ArmyList.objects.get(pk=row.pk)


def grouped(
    found: tuple[Offer | OfferGroup, ...], groups: tuple[OfferGroup, ...] = ()
) -> Iterator[tuple[Offer, tuple[OfferGroup, ...]]]:
    """Every offer that is shown, with the groups that it stands in."""
    for one in found:
        if isinstance(one, Offer):
            yield one, groups
        elif not one.hidden:
            yield from grouped(one.offers, (*groups, one))


def _filled(library: Library, roster: Roster, unit_id: str, rng: Random, new_id: edits.NewId) -> Roster:
    """The roster with some of what may be taken in a unit; of what excludes each other the later."""
    for _ in range(rng.randint(0, 7)):
        state = evaluate(library, roster)
        inside = rng.choice([part.id for unit in state.all_selections() if unit.id == unit_id for part in unit.walk()])
        open_ = [
            (one, groups)
            for one, groups in grouped(offers(library, state, node_id=inside))
            if not one.hidden
            and (one.available or any(group.radio for group in groups))
            and all(group.radio or group.maximum is None or group.current < group.maximum for group in groups)
        ]
        if not open_:
            continue
        chosen, groups = rng.choice(open_)
        full = [group for group in groups if group.radio and group.current]
        if full and chosen.current:
            continue
        for group in full:
            for other, _ in grouped(group.offers):
                for node_id in other.selection_ids:
                    roster = edits.remove(library, roster, node_id=node_id).roster
        roster = edits.select(library, roster, parent_id=inside, entry_id=chosen.entry_id, new_id=new_id).roster
    return roster
