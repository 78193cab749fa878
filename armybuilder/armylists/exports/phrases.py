"""Words that several layouts share: prices, counts, what models carry, the verdict and the last line."""

from collections.abc import Iterable, Iterator
from decimal import Decimal

from armybuilder.armylists.amounts import counted_words, counts_itself
from armybuilder.armylists.list_sheet import ListSheet, SheetDetachment, SheetModels, SheetOption, SheetRole, SheetUnit
from armybuilder.armylists.wording import number, russian_points
from armybuilder.engine.findings import Severity, Text, Verdict, in_figures

_WARLORD = Text("Warlord", "Военачальник")
_GENERAL = Text("General", "Генерал")
_TRAIT = Text("Warlord Trait", "Особенность военачальника")
TOTAL = Text("Total", "Итого")
NOTES = Text("Notes", "Заметки")
TOOL = "Army Builder"

_LIMIT = Text("Points limit", "Лимит очков")
_VERDICT = Text("Verdict", "Вердикт")
_LEGAL = Text("legal", "соответствует правилам")
_PARTLY = Text("legal as far as it was checked", "соответствует правилам в той части, что проверена")
_ILLEGAL = Text("NOT LEGAL", "НЕ СООТВЕТСТВУЕТ ПРАВИЛАМ")
_NOT_CHECKED = Text("not checked", "не проверено")
_DATA = Text("data", "данные")
_ERROR = Text("Error", "Ошибка")
_CHOICE = Text("Still to choose", "Ещё выбрать")
_UNCHECKED = Text("Not checked", "Не проверено")


def localized(text: Text, sheet: ListSheet) -> str:
    """A word in the language of the sheet."""
    return text.ru if sheet.language == "ru" else text.en


def leading(unit: SheetUnit, sheet: ListSheet) -> list[str]:
    """`Warlord (Bloody-handed)` for the unit that leads; nothing for others.

    Where the data has an option of that name and it is taken, only the trait is left to be told.
    """
    if not unit.is_warlord:
        return []
    trait = f" ({unit.warlord_trait})" if unit.warlord_trait else ""
    words = {word.casefold() for text in (_WARLORD, _GENERAL) for word in (text.en, text.ru)}
    if any(part.name.casefold() in words for option in unit.options for part in option.walk()):
        return [localized(_TRAIT, sheet) + trait] if trait else []
    return [localized(_WARLORD, sheet) + trait]


def told(unit: SheetUnit, sheet: ListSheet) -> list[str]:
    """`Warlord (Bloody-handed)`, `General`, `joins (Halberdiers)`: what is stated of a unit, as among its options.

    What stands among its options by the same name is not said twice.
    """
    taken = {option.name.casefold() for option in unit.options}
    said = (f"{name} ({value})" if value else name for name, value in unit.stated)
    return [*leading(unit, sheet), *(words for words in said if words.casefold() not in taken)]


def role_of(detachment: SheetDetachment, role: SheetRole, sheet: ListSheet) -> str:
    """`HQ`, `Allied Detachment: HQ` in a list of several detachments, `Regiment #2: Hero` where two are called so."""
    if len(sheet.detachments) < 2:
        return role.name
    namesakes = [one for one in sheet.detachments if one.name == detachment.name]
    number = next(place for place, one in enumerate(namesakes, 1) if one is detachment)
    return f"{detachment.name}{f' #{number}' if len(namesakes) > 1 else ''}: {role.name}"


def heading_without_units(detachment: SheetDetachment, sheet: ListSheet) -> str:
    """`Allied Detachment (Sons of Horus)`: what tells that a detachment without units is there, one of several.

    Empty for a detachment that its units tell of, and for the only one.
    """
    if detachment.taken_roles or len(sheet.detachments) < 2:
        return ""
    return f"{detachment.name} ({detachment.faction})" if detachment.faction else detachment.name


def head_facts(sheet: ListSheet, *, tells_limit: bool = False) -> list[str]:
    """`Allegiance: Traitor`, a line each: what the list states and no unit says.

    Args:
        tells_limit: the layout has a place for the agreed points; else they are one of these lines.
    """
    lines = [f"{name[:1].upper()}{name[1:]}: {value}" for name, value in sheet.army_facts]
    if sheet.limit is not None and not tells_limit:
        lines.insert(0, f"{localized(_LIMIT, sheet)}: {figures(sheet.limit, sheet)}")
    return lines


def price(points: Decimal | None, sheet: ListSheet, *, word: str = " pts", grouped: bool = False) -> str:
    """`145 pts`, `145 очков`; nothing where the game has no points.

    Args:
        word: what English writes behind the number.
        grouped: whether thousands are set apart.
    """
    if points is None:
        return ""
    plain = number(points)
    figures = in_figures(plain) if grouped else Text(plain, plain.replace(".", ","))
    if sheet.language == "ru":
        return f"{figures.ru} {russian_points(points)}"
    return f"{figures.en}{word}"


def figures(points: Decimal, sheet: ListSheet) -> str:
    """`1,250` or `1250`: a price without its unit, as the language groups thousands."""
    return localized(in_figures(number(points)), sheet)


def square(points: Decimal | None, sheet: ListSheet, *, word: str = " pts", grouped: bool = False) -> str:
    """The price in square brackets behind a name, with the space before it."""
    words = price(points, sheet, word=word, grouped=grouped)
    return f" [{words}]" if words else ""


def round_brackets(points: Decimal | None, sheet: ListSheet, *, word: str = " pts") -> str:
    """The price in round brackets behind a name, with the space before it."""
    words = price(points, sheet, word=word)
    return f" ({words})" if words else ""


def times(amount: int, name: str, sign: str = "x") -> str:
    """`3x Rhino`; one is the name alone, and a name that counts itself is not counted again."""
    return counted_words(amount, name, sign)


def kind_words(number: int, name: str) -> str:
    """`9x Trooper` and `1x Sergeant`: models are always counted; a name that counts itself is not counted again."""
    return f"1x {name}" if number == 1 and not counts_itself(name) else times(number, name)


def phrase(option: SheetOption) -> str:
    """An option with what was taken below it: `2x Speeder (Melta, Searchlight)`."""
    return option.phrase


def phrases(options: Iterable[SheetOption], sign: str = "x") -> list[str]:
    """Several options, each as `phrase`; paper has another sign between number and name."""
    return [option.told(sign) for option in options]


def carried(models: SheetModels, sign: str = "x") -> list[str]:
    """What models of one kind carry, said of one of them where all carry the same."""
    return [item.of_one(models.number).told(sign, is_in_model=not models.is_unit) for item in models.items]


def carried_by(models: SheetModels) -> dict[int, list[str]]:
    """What models of one kind carry, by the number of those who carry it."""
    found: dict[int, list[str]] = {}
    for item in models.items:
        bearers = min(item.number, models.number)
        found.setdefault(bearers, []).append(item.of_one(bearers).told("x", is_in_model=not models.is_unit))
    return found


def verdict_words(sheet: ListSheet) -> str:
    """The verdict in words, always with what it does not cover."""
    if sheet.verdict is Verdict.LEGAL:
        words = _PARTLY if sheet.unchecked else _LEGAL
    else:
        words = _ILLEGAL if sheet.verdict is Verdict.ILLEGAL else _NOT_CHECKED
    return f"{localized(_VERDICT, sheet)}: {localized(words, sheet)}"


def objections(sheet: ListSheet) -> Iterator[str]:
    """Every error and every part that was not checked, a line each."""
    for finding, said in sheet.findings_once:
        if finding.severity is Severity.ERROR:
            kind = _CHOICE if finding.is_choice else _ERROR
            often = f" ({said}x)" if said > 1 else ""
            yield f"{localized(kind, sheet)} {finding.rule}: {finding.message}{often}"
    for part in sheet.unchecked:
        yield f"{localized(_UNCHECKED, sheet)}: {part}"


def last_line(sheet: ListSheet) -> str:
    """The tool and the data the list was made with."""
    revision = f" ({sheet.release.revision})" if sheet.release.revision else ""
    signed = f", {sheet.signed_verdict.code} {sheet.signed_verdict.url}" if sheet.signed_verdict is not None else ""
    return f"{TOOL}, {localized(_DATA, sheet)} {sheet.release.number}{revision}{signed}"


def ending(sheet: ListSheet) -> str:
    """The end of every text that shows all: verdict, objections, tool and data; an illegal list never looks legal."""
    return "\n".join([verdict_words(sheet), *objections(sheet), last_line(sheet)])


def blocks(*parts: str) -> str:
    """Parts of a text with an empty line between them; empty ones left out."""
    return "\n\n".join(part for part in parts if part) + "\n"
