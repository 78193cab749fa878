"""What an event finds about a list that the book does not: each objection with a rule of the event and a reason."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from uuid import UUID

import msgspec
from django.utils import translation

from armybuilder.armylists.exports.files import plain_sheet_of
from armybuilder.armylists.list_sheet import ListSheet, SheetOption
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.wording import number
from armybuilder.datafiles.card_sets import RULE_PACK as CARD_GAME
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.datafiles.parsing import library_of
from armybuilder.engine.findings import Text, Verdict, in_figures
from armybuilder.engine.gamedata.names import names_on_lists
from armybuilder.events.packs import EventPack
from armybuilder.reference import queries as reference
from armybuilder.reference.names import Names, names_for


class EventFinding(msgspec.Struct, frozen=True):
    """Why a list cannot be played at the event.

    Attributes:
        rule: EV-01 … EV-09; the same for every event.
    """

    rule: str
    message: Text


@dataclass(frozen=True, slots=True)
class _Taken:
    """What a list has, by name.

    Attributes:
        numbers: by folded names of either language.
        words: names in both languages, by the same.
    """

    numbers: Counter[str]
    words: dict[str, Text]

    @classmethod
    def of(cls, sheet: ListSheet, in_russian: ListSheet, names: Names) -> "_Taken":
        """What is on a sheet that was written in both languages."""
        counts, counts_ru = _counts(sheet), _counts(in_russian)
        with translation.override("ru"):
            words = [Text(name, names.role(name)) for name in counts]
        return cls(
            numbers=_folded_counts(counts) | _folded_counts(counts_ru),
            words={name.casefold(): text for text in words for name in (text.ru, text.en)},
        )

    def number(self, name: str) -> int:
        """How many there are of what is called so in either language."""
        return self.numbers[name.casefold()]

    def told(self, name: str) -> Text:
        """The name as readers of either language know it."""
        return self.words.get(name.casefold(), Text(name, name))


def event_findings(army_list: ArmyList, pack: EventPack, fields: Mapping[str, str]) -> tuple[EventFinding, ...]:
    """What the event objects to, whatever the book says; nothing where the list is welcome."""
    with translation.override("ru"):  # packs name things in either language
        in_russian = plain_sheet_of(army_list)
    with translation.override("en"):
        sheet = plain_sheet_of(army_list)
    taken = _Taken.of(sheet, in_russian, names_for(army_list.system.rule_pack, army_list.release_id))
    return (
        *_frame(army_list, sheet, in_russian, pack),
        *_bans(taken, pack),
        *_caps(taken, pack),
        *_missing_fields(pack, fields),
        *_verdict(sheet, pack),
    )


def unknown_names(pack: EventPack, system: PublishedSystem) -> tuple[str, ...]:
    """Names of a pack that nothing in the game's current data bears in either language: they do nothing.

    Cards of heroes are not looked through.
    """
    asked = (*pack.factions, *pack.detachments, *(ban.name for ban in pack.bans), *(cap.name for cap in pack.caps))
    if not asked or system.current_release_id is None or system.rule_pack == CARD_GAME:
        return ()
    rows = (*reference.roles(system.pk), *reference.factions(system.pk))
    known = _folded(label for row in rows for label in (row.name, row.name_ru))
    known |= _names_of_release(system.rule_pack, system.current_release_id)
    return tuple(dict.fromkeys(name for name in asked if name.casefold() not in known))


def of_this_data(pack: EventPack, system: PublishedSystem) -> EventPack:
    """An example pack without the names that are of other data sets of the game than this one."""
    unknown = frozenset(unknown_names(pack, system))
    return msgspec.structs.replace(
        pack,
        factions=tuple(name for name in pack.factions if name not in unknown),
        detachments=tuple(name for name in pack.detachments if name not in unknown),
        bans=tuple(ban for ban in pack.bans if ban.name not in unknown),
        caps=tuple(cap for cap in pack.caps if cap.name not in unknown),
    )


@lru_cache(maxsize=4)
def _names_of_release(rule_pack: str, release_id: UUID) -> frozenset[str]:
    """What the data of a release can put on a list, as it writes it and as readers of either language see it."""
    written, names = names_on_lists(library_of(release_id)), names_for(rule_pack, release_id)
    known = _folded(written)
    for language in ("en", "ru"):
        with translation.override(language):
            known |= _folded(map(names.role, written))
    return known


def _folded(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name.casefold() for name in names)


def _frame(army_list: ArmyList, sheet: ListSheet, in_russian: ListSheet, pack: EventPack) -> Iterator[EventFinding]:
    limit = pack.points_limit
    if limit is not None and sheet.points is not None and sheet.points > limit:
        spent, played = in_figures(number(sheet.points)), in_figures(number(limit))
        yield EventFinding(
            "EV-01",
            Text(
                f"The list costs {spent.en} points; the event plays {played.en}.",
                f"Ростер стоит {spent.ru}, а играют на {played.ru}.",
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
    for detachment, other in zip(sheet.detachments, in_russian.detachments, strict=True):
        if pack.detachments and not _named((detachment.name, other.name), pack.detachments):
            yield EventFinding(
                "EV-03",
                Text(
                    f"The event does not take the detachment {detachment.name}.",
                    f"Событие не принимает отряд «{other.name}».",
                ),
            )
    both = zip(sheet.detachments, in_russian.detachments, strict=True)
    for name, russian in dict.fromkeys((one.faction, other.faction) for one, other in both if one.faction):
        if pack.factions and not _named((name, russian), pack.factions):
            yield EventFinding(
                "EV-04", Text(f"{name} does not take part in the event.", f"{russian}: в событии не участвует.")
            )


def _bans(taken: _Taken, pack: EventPack) -> Iterator[EventFinding]:
    for ban in pack.bans:
        if taken.number(ban.name):
            why, name = f": {ban.why}" if ban.why else "", taken.told(ban.name)
            yield EventFinding(
                "EV-05", Text(f"{name.en} is banned at the event{why}.", f"{name.ru}: на событии под запретом{why}.")
            )


def _caps(taken: _Taken, pack: EventPack) -> Iterator[EventFinding]:
    for cap in pack.caps:
        found, name = taken.number(cap.name), taken.told(cap.name)
        if found > cap.most:
            yield EventFinding(
                "EV-06",
                Text(
                    f"{name.en}: {found} in the list, the event takes at most {cap.most}.",
                    f"{name.ru}: в ростере {found}, событие принимает не больше {cap.most}.",
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
            counts[role.name] += len(role.units)
            for unit in role.units:
                counts[unit.name] += 1
                _count_options(unit.options, counts)
    return counts


def _folded_counts(counts: Counter[str]) -> Counter[str]:
    folded: Counter[str] = Counter()
    for name, many in counts.items():
        folded[name.casefold()] += many
    return folded


def _count_options(options: tuple[SheetOption, ...], counts: Counter[str]) -> None:
    for option in options:
        counts[option.name] += option.number
        _count_options(option.options, counts)


def _named(either: tuple[str, str], names: tuple[str, ...]) -> bool:
    return not _folded(either).isdisjoint(_folded(names))
