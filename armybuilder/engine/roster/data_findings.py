"""The roster's own errors as findings of origin `data`, in both languages: who, how many, what to do."""

from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from armybuilder.engine import points
from armybuilder.engine.findings import Finding, Origin, Severity, Text, in_figures
from armybuilder.engine.gamedata.numbers import plain
from armybuilder.engine.roster.model import pointers
from armybuilder.engine.roster.state import ErrorKind, RosterError, RosterState

SOURCE = "game data"
RULES = {
    ErrorKind.MIN: "BS-01",
    ErrorKind.MAX: "BS-02",
    ErrorKind.HIDDEN: "BS-03",
    ErrorKind.LIMIT: "BS-04",
    ErrorKind.CYCLE: "BS-06",
    ErrorKind.MISSING: "BS-07",
    ErrorKind.MESSAGE: "BS-08",
    ErrorKind.NOTICE: "BS-09",
}
"""Rule id by kind of error; BS-05 is raised where a roster is turned into an army document."""


Remedy = Callable[[RosterError], Text | None]
"""What would allow what an error objects to, as the end of the sentence "Remove 1"; None where nobody knows."""


def nothing_known(error: RosterError) -> None:
    """The `Remedy` of those who do not ask what stands behind an error."""
    return


def data_findings(state: RosterState, remedy: Remedy = nothing_known) -> tuple[Finding, ...]:
    """The roster's own errors as findings of origin `data`, in the order they were found.

    `at` points into the stored roster: at the culprit, or at its force; None speaks of the whole roster.
    """
    at = pointers(state.roster)
    shown = _shown_names(state)
    return tuple(
        Finding(
            rule=RULES[error.kind],
            severity=Severity(error.constraint_id) if error.kind is ErrorKind.NOTICE else Severity.ERROR,
            message=_message(error, shown.get(error.node_id or "", ""), remedy),
            at=at.get(error.node_id or ""),
            source=SOURCE,
            origin=Origin.DATA,
        )
        for error in state.errors
    )


def _shown_names(state: RosterState) -> dict[str, str]:
    names = {force.id: force.shown_name for force in state.all_forces()}
    names.update((selection.id, selection.shown_name) for selection in state.all_selections())
    return names


def _message(error: RosterError, node_name: str, remedy: Remedy) -> Text:  # noqa: PLR0911 - a return for each kind
    who = node_name or error.owner_name
    if error.own_words:
        return Text(f"{who}: {error.message}", f"{who}: {error.message}")
    if error.whole:
        return _of_the_game(error, error.whole, _whose(who, error.name))
    sign = "%" if error.percent else ""
    current, limit, gap = _text(error.current, sign), _text(error.limit, sign), _gap(error, sign)
    match error.kind:
        case ErrorKind.MIN:
            whose, count = _whose(who, error.name), _count(error.field, current, is_share=error.percent)
            return Text(
                f"{whose.en} – {count.en}, at least {limit.en} needed. Add {gap.en} more.",
                f"{whose.ru} – {count.ru}, нужно не меньше {limit.ru}. Добавьте ещё {gap.ru}.",
            )
        case ErrorKind.MAX:
            whose, count = _whose(who, error.name), _count(error.field, current, is_share=error.percent)
            end = (None if error.limit or error.percent else remedy(error)) or Text(".", ".")
            return Text(
                f"{whose.en} – {count.en}, at most {limit.en} allowed. Remove {gap.en}{end.en}",
                f"{whose.ru} – {count.ru}, можно не больше {limit.ru}. Уберите {gap.ru}{end.ru}",
            )
        case ErrorKind.HIDDEN:
            whose = _whose(who, error.name)
            end = remedy(error) or Text(", or take what unlocks it.", " или возьмите то, что открывает доступ.")
            return Text(
                f"{whose.en} is not available in this list as it stands. Remove it{end.en}",
                f"{whose.ru} сейчас взять нельзя. Уберите{end.ru}",
            )
        case ErrorKind.LIMIT:
            cost = _unit(error.name)
            return Text(
                f"The list costs {current.en} {cost.en}, the limit is {limit.en}. Remove {gap.en} {cost.en}.",
                f"Ростер стоит {current.ru} {cost.ru}, предел – {limit.ru}. Уберите {gap.ru}.",
            )
        case ErrorKind.CYCLE:
            return Text(
                f"{error.name}: the data makes this cost depend on itself; its base cost is counted.",
                f"{error.name}: в данных эта стоимость зависит от самой себя; считается базовая стоимость.",
            )
        case _:
            return Text(
                f"{error.name}: the data no longer has this entry. Remove it and choose a replacement.",
                f"{error.name}: этой записи больше нет в данных. Уберите её и выберите замену.",
            )


def _of_the_game(error: RosterError, size: Decimal, whose: Text) -> Text:
    """A share of the agreed size of the game, said in points too."""
    assert error.current is not None and error.limit is not None
    is_short = error.kind is ErrorKind.MIN
    cost = _unit(error.field)
    there = (error.current * size / 100).to_integral_value()
    asked = (error.limit * size / 100).to_integral_value(ROUND_CEILING if is_short else ROUND_FLOOR)
    have, most, gap, whole = (_text(value, "") for value in (there, asked, abs(there - asked), size))
    share, bound = _text(error.current, "%"), _text(error.limit, "%")
    said = Text(f"{whose.en} – {have.en} {cost.en} ({share.en})", f"{whose.ru} – {have.ru} {cost.ru} ({share.ru})")
    limit = Text(f"{most.en} ({bound.en} of {whole.en})", f"{most.ru} ({bound.ru} от {whole.ru})")
    if is_short:
        return Text(
            f"{said.en}, at least {limit.en} needed. Add {gap.en} more.",
            f"{said.ru}, нужно не меньше {limit.ru}. Добавьте ещё {gap.ru}.",
        )
    return Text(
        f"{said.en}, at most {limit.en} allowed. Remove {gap.en}.",
        f"{said.ru}, можно не больше {limit.ru}. Уберите {gap.ru}.",
    )


def _whose(who: str, name: str) -> Text:
    """Whose limit it is, and on what; a thing is not named twice."""
    quoted = f"«{name.rstrip(': ')}»"  # many a category and group is named "Lords of War:"
    return Text(name, quoted) if who == name else Text(f"{who}: {name}", f"{who}: {quoted}")


def _count(field: str, current: Text, *, is_share: bool) -> Text:
    if is_share:  # of what is there, not of the size of the game
        unit = _unit("" if field in {"selections", "forces"} else field)
        of_what = f" ({unit.ru})" if unit.ru else ""
        return Text(f"{current.en} of all {unit.en}".rstrip(), f"{current.ru} от всего{of_what}")
    if field == "selections":
        return Text(f"{current.en} taken", "ничего не взято" if current.ru == "0" else f"взято {current.ru}")
    if field == "forces":
        return Text(f"{current.en} detachments", f"подразделений {current.ru}")
    cost = _unit(field)
    return Text(f"{current.en} {cost.en}", f"{current.ru} {cost.ru}")


def _gap(error: RosterError, sign: str) -> Text:
    if error.current is None or error.limit is None:
        return Text("", "")
    return _text(abs(error.current - error.limit), sign)


def _text(value: Decimal | None, sign: str) -> Text:
    if value is None:
        return Text(sign, sign)
    shown = in_figures(plain(int(value) if value == value.to_integral_value() else value))
    return Text(shown.en + sign, f"{shown.ru} {sign}" if sign else shown.ru)


def _unit(name: str) -> Text:
    """What stands behind an amount of this cost: points have a word in both languages, other costs their name."""
    named = points.NAME.fullmatch(name.strip())
    is_points = named is not None and named["more"] in ("", ".")
    return Text(en=name, ru="очк." if is_points else name)
