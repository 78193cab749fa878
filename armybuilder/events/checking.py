"""What an event finds about a list that the book does not: each objection with a rule of the event and a reason."""

from collections import Counter
from collections.abc import Iterator, Mapping

import msgspec
from django.utils import translation

from armybuilder.armylists.exports.files import plain_sheet_of
from armybuilder.armylists.list_sheet import ListSheet, SheetOption
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.wording import number
from armybuilder.engine.findings import Text, Verdict
from armybuilder.events.packs import EventPack


class EventFinding(msgspec.Struct, frozen=True):
    """Why a list cannot be played at the event.

    Attributes:
        rule: EV-01 … EV-09; the same for every event.
    """

    rule: str
    message: Text


def event_findings(army_list: ArmyList, pack: EventPack, fields: Mapping[str, str]) -> tuple[EventFinding, ...]:
    """What the event objects to, whatever the book says; nothing where the list is welcome."""
    with translation.override("en"):  # packs name things as the data does
        sheet = plain_sheet_of(army_list)
    return (
        *_frame(army_list, sheet, pack),
        *_bans(sheet, pack),
        *_caps(sheet, pack),
        *_missing_fields(pack, fields),
        *_verdict(sheet, pack),
    )


def _frame(army_list: ArmyList, sheet: ListSheet, pack: EventPack) -> Iterator[EventFinding]:
    limit = pack.points_limit
    if limit is not None and sheet.points is not None and sheet.points > limit:
        spent = number(sheet.points)
        yield EventFinding(
            "EV-01",
            Text(
                f"The list costs {spent} points; the event plays {limit}.",
                f"Ростер стоит {spent}, а играют на {limit}.",
            ),
        )
    if pack.releases and army_list.release.number not in pack.releases:
        taken = ", ".join(map(str, pack.releases))
        yield EventFinding(
            "EV-02",
            Text(
                f"The list is built with data release {army_list.release.number}; the event takes {taken}.",
                f"Ростер собран по выпуску данных {army_list.release.number}; событие принимает {taken}.",
            ),
        )
    for detachment in sheet.detachments:
        if pack.detachments and not _named(detachment.name, pack.detachments):
            yield EventFinding(
                "EV-03",
                Text(
                    f"The event does not take the detachment {detachment.name}.",
                    f"Событие не принимает отряд {detachment.name}.",
                ),
            )
    for faction in sheet.factions:
        if pack.factions and not _named(faction, pack.factions):
            yield EventFinding(
                "EV-04", Text(f"{faction} does not take part in the event.", f"{faction} в событии не участвует.")
            )


def _bans(sheet: ListSheet, pack: EventPack) -> Iterator[EventFinding]:
    counts = _counts(sheet)
    for ban in pack.bans:
        if counts[ban.name.casefold()]:
            why = f": {ban.why}" if ban.why else ""
            yield EventFinding(
                "EV-05", Text(f"{ban.name} is banned at the event{why}.", f"{ban.name}: на событии под запретом{why}.")
            )


def _caps(sheet: ListSheet, pack: EventPack) -> Iterator[EventFinding]:
    counts = _counts(sheet)
    for cap in pack.caps:
        found = counts[cap.name.casefold()]
        if found > cap.most:
            yield EventFinding(
                "EV-06",
                Text(
                    f"{cap.name}: {found} in the list, the event takes at most {cap.most}.",
                    f"{cap.name}: в ростере {found}, событие принимает не больше {cap.most}.",
                ),
            )


def _missing_fields(pack: EventPack, fields: Mapping[str, str]) -> Iterator[EventFinding]:
    for field in pack.fields:
        if field.required and not fields.get(field.name, "").strip():
            yield EventFinding("EV-07", Text(f"{field.label.en} is not filled in.", f"{field.label.ru}: не заполнено."))


def _verdict(sheet: ListSheet, pack: EventPack) -> Iterator[EventFinding]:
    if pack.must_be_legal and sheet.verdict is Verdict.ILLEGAL:
        yield EventFinding(
            "EV-08", Text("The list is not legal by the book.", "Ростер не соответствует правилам книги.")
        )
    if not pack.take_unchecked and (sheet.unchecked or sheet.verdict is Verdict.NOT_CHECKED):
        yield EventFinding(
            "EV-09",
            Text(
                "Parts of the list could not be checked, and the event takes no such lists.",
                "Части ростера проверить не удалось, а таких событие не принимает.",
            ),
        )


def _counts(sheet: ListSheet) -> Counter[str]:
    """How many there are of each unit, option and battlefield role, by name."""
    counts: Counter[str] = Counter()
    for detachment in sheet.detachments:
        for role in detachment.roles:
            counts[role.name.casefold()] += len(role.units)
            for unit in role.units:
                counts[unit.name.casefold()] += 1
                _count_options(unit.options, counts)
    return counts


def _count_options(options: tuple[SheetOption, ...], counts: Counter[str]) -> None:
    for option in options:
        counts[option.name.casefold()] += option.number
        _count_options(option.options, counts)


def _named(name: str, names: tuple[str, ...]) -> bool:
    return name.casefold() in {one.casefold() for one in names}
