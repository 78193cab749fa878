"""What a newer data release would change in a list: prices, names, what is gone and which objections come or go."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

import msgspec

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import checking, queries, services
from armybuilder.armylists.documents import ListDocument, display_name, read_document
from armybuilder.armylists.errors import EditRefused
from armybuilder.armylists.facts import without_the_gone
from armybuilder.armylists.list_types import list_type_of
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.reports import EditResult, ListFinding, ListReport
from armybuilder.armylists.roster_sheet import mentioned_names
from armybuilder.datafiles.models import DataRelease
from armybuilder.datafiles.parsing import library_of
from armybuilder.engine.battlescribe_files.ros_xml import settle
from armybuilder.engine.findings import Severity, Text, Verdict
from armybuilder.engine.roster.model import Selection
from armybuilder.engine.roster.state import SelectionState
from armybuilder.engine.systems.roster_reading.points_cost import points_type
from armybuilder.reference.queries import recorded_levels


@dataclass(frozen=True, slots=True)
class Gone:
    """A detachment or selection that the newer data does not have; everything under it goes with it.

    Attributes:
        unit_name: of the unit it stands in; empty for a detachment or a unit itself.
    """

    node_id: str
    name: str
    unit_name: str


@dataclass(frozen=True, slots=True)
class Renamed:
    """Something the newer data calls otherwise."""

    node_id: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Repriced:
    """A unit that costs otherwise, with all that is in it."""

    node_id: str
    name: str
    before: Decimal
    after: Decimal


@dataclass(frozen=True, slots=True)
class Impact:
    """The list on the newer release, against the list as it is.

    Attributes:
        document: what the list would hold there.
        new_findings, solved_findings: errors and warnings that come or go.
        mentioned: names of the data that these may hold.
    """

    before: DataRelease
    after: DataRelease
    document: ListDocument
    points_before: Decimal | None
    points_after: Decimal | None
    verdict_before: Verdict
    verdict_after: Verdict
    gone: tuple[Gone, ...]
    renamed: tuple[Renamed, ...]
    repriced: tuple[Repriced, ...]
    new_findings: tuple[ListFinding, ...]
    solved_findings: tuple[ListFinding, ...]
    mentioned: frozenset[str]

    @property
    def is_empty(self) -> bool:
        """Whether the player would notice nothing."""
        return not (self.gone or self.renamed or self.repriced or self.new_findings or self.solved_findings)


def newer_release(army_list: ArmyList) -> DataRelease | None:
    """The release new lists of the game are built with, when it is newer than the list's own; else None."""
    current = army_list.system.current_release
    if current is None or not list_type_of(army_list).follows_releases or current.pk == army_list.release_id:
        return None
    return current


def is_offered(army_list: ArmyList) -> bool:
    """Whether the owner should be told of a newer release: there is one, and they did not choose to stay."""
    current_id = army_list.system.current_release_id
    return (
        current_id is not None
        and list_type_of(army_list).follows_releases
        and current_id not in (army_list.release_id, army_list.declined_release_id)
    )


def impact_of(army_list: ArmyList) -> Impact | None:
    """What moving to the current release would change; None when the list is on it already. Nothing is written."""
    after = newer_release(army_list)
    return None if after is None else impact_on(army_list, after)


def impact_on(army_list: ArmyList, after: DataRelease) -> Impact:
    """What moving a list to a release would change. Nothing is written."""
    before = services.check_army_list(army_list)
    document = read_document(army_list.document)
    settled = settle(library_of(after.pk), document.roster)
    moved = without_the_gone(
        msgspec.structs.replace(document, roster=settled.roster), rule_pack=army_list.system.rule_pack
    )
    report = checking.report_on(
        moved,
        system=army_list.system,
        release_id=after.pk,
        points_limit=army_list.points_limit,
        revision=army_list.revision,
        levels=recorded_levels(army_list.system.home_id),
    )
    known, coming = _said(before), _said(report)
    return Impact(
        before=army_list.release,
        after=after,
        document=moved,
        points_before=checking.total_points(before),
        points_after=checking.total_points(report),
        verdict_before=before.verdict,
        verdict_after=report.verdict,
        gone=tuple(_gone(document, {one.node_id for one in settled.dropped})),
        renamed=tuple(_renamed(document, moved)),
        repriced=tuple(_repriced(before, report)),
        new_findings=tuple(finding for key, finding in coming.items() if key not in known),
        solved_findings=tuple(finding for key, finding in known.items() if key not in coming),
        mentioned=mentioned_names(before.state) | mentioned_names(report.state),
    )


def move(viewer: Viewer, list_id: UUID, *, release_id: UUID, expected_revision: int) -> EditResult:
    """Put a list on the current release, as a revision that undo takes back.

    Args:
        release_id: the release whose impact the owner has seen.

    Raises:
        NotFound: no such list of the viewer's.
        RevisionConflict: the list was changed meanwhile.
        EditRefused: another release has become current meanwhile, or the list is on it already.
    """
    impact = impact_of(queries.own_army_list(list_id, viewer))
    if impact is None or impact.after.pk != release_id:
        raise _other_release()
    return services.move_to_release(
        viewer, list_id, release=impact.after, document=impact.document, expected_revision=expected_revision
    )


def stay(viewer: Viewer, list_id: UUID, *, release_id: UUID) -> ArmyList:
    """Keep a list on its data; the current release is offered no more, a later one is.

    Raises:
        NotFound: no such list of the viewer's.
        EditRefused: another release has become current meanwhile.
    """
    army_list = queries.own_army_list(list_id, viewer)
    if army_list.system.current_release_id != release_id:
        raise _other_release()
    return services.decline_release(viewer, list_id, release_id=release_id)


def _other_release() -> EditRefused:
    return EditRefused(
        Text(
            en="This is not the newest data of the game, or the list is on it already. Look at the changes again.",
            ru="Это не новейшие данные игры, или ростер уже на них. Посмотрите изменения ещё раз.",
        ),
        "/release",
    )


def _gone(document: ListDocument, dropped: set[str]) -> Iterator[Gone]:
    for node_id, place in document.places.items():
        if node_id in dropped:
            unit = document.places.get(place.unit_id or "")
            inside = unit is not None and not place.is_unit
            yield Gone(node_id, display_name(place.node), display_name(unit.node) if unit and inside else "")


def _renamed(before: ListDocument, after: ListDocument) -> Iterator[Renamed]:
    for node_id, place in after.places.items():
        earlier = before.places[node_id].node
        if isinstance(place.node, Selection) and earlier.name != place.node.name:
            yield Renamed(node_id, earlier.name, place.node.name)


def _repriced(before: ListReport, after: ListReport) -> Iterator[Repriced]:
    """Units whose price differs; those that lost or gained something inside are among them."""
    old, new = _units(before), _units(after)
    for node_id, (unit, price) in new.items():
        earlier = old.get(node_id)
        if earlier is not None and earlier[1] != price:
            yield Repriced(node_id, unit.shown_name, earlier[1], price)


def _units(report: ListReport) -> dict[str, tuple[SelectionState, Decimal]]:
    points = points_type(report.library.cost_types)
    return {
        unit.id: (unit, unit.total(points) if points else Decimal(0))
        for force in report.state.all_forces()
        for unit in force.selections
    }


def _said(report: ListReport) -> dict[tuple[str, str | None, str], ListFinding]:
    """Errors and warnings by what they say of which node."""
    return {
        (finding.rule, finding.node_id, finding.message.en): finding
        for finding in report.findings
        if finding.severity is not Severity.INFO
    }
