"""A layout that an organiser wrote himself, in Liquid: the words of docs/layouts.md and nothing else of the site.

Liquid was made for templates of strangers: it has no way to Python, files or the network. What could still cost time
or memory is taken away or bounded by `layout_sandbox`, which fills a layout in as a process that can be ended.
"""

import json
import logging
import subprocess
import sys
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from armybuilder.armylists import limits
from armybuilder.armylists.errors import EditRefused
from armybuilder.armylists.exports.files import PLAIN_TEXT, ExportFormat, sheet_of
from armybuilder.armylists.exports.phrases import carried
from armybuilder.armylists.layouts import layout_at
from armybuilder.armylists.list_sheet import ListSheet, SheetUnit
from armybuilder.armylists.models import ArmyList
from armybuilder.engine.findings import Text

logger = logging.getLogger(__name__)

EXAMPLE = """\
PLAYER:
LIST: {{ name }} ({{ points }} / {{ points_limit }})
FACTION: {{ factions | join: ", " }}
WARLORD: {{ warlord }}

{% for role in detachments[0].roles -%}
== {{ role.name | upcase }} [{{ role.points }}] ==
{% for unit in role.units -%}
{{ unit.count }} {{ unit.title }} [{{ unit.points }}]
{% for option in unit.wargear %}  - {{ option }}
{% endfor %}{% endfor %}
{% endfor -%}
VERDICT: {{ verdict }} {{ address }}
"""
"""What a new layout begins with."""

_SANDBOX = Path(__file__).with_name("layout_sandbox.py")

_PATIENCE = 10
"""Seconds for what takes one of the processor, on a machine that is busy."""


def laid_out(source: str, sheet: ListSheet) -> str:
    """A list in an organiser's layout.

    Raises:
        EditRefused: the layout is wrong or wants too much, with the line and what is wrong in it.
        TooLarge: it is longer than a layout may be.
    """
    limits.validated_text(source, limits.LAYOUT_LENGTH, "/source")
    answer = _answer_to(json.dumps({"source": source, "words": words_of(sheet)}))
    if "text" in answer:
        return f"{answer['text'].strip()}\n"
    if "reason" in answer:
        raise EditRefused(_refusal(**answer), "/source")
    raise EditRefused(
        Text(
            en="The layout repeats too much or makes too long a text; nothing was made.",
            ru="Макет повторяет слишком много или даёт слишком длинный текст; ничего не сделано.",
        ),
        "/source",
    )


REASONS = {
    "no-filter": Text("there is no filter {word}", "фильтра {word} нет"),
    "unfit": Text(
        "the filter {word} can do nothing with what stands before it or behind its colon",
        "фильтр {word} ничего не может сделать с тем, что стоит перед ним или после двоеточия",
    ),
    "no-tag": Text("there is no tag {word}, or not here", "тега {word} нет, или ему здесь не место"),
    "missing": Text("{word} is missing", "не хватает {word}"),
    "open": Text("{word} has no end", "у {word} нет конца"),
    "empty": Text("a tag is empty, or says not of what", "тег пуст, или в нём не сказано, о чём он"),
    "out-of-place": Text("{word} cannot stand here", "{word} здесь стоять не может"),
    "several-words": Text(
        "this has several words of its own: say which one, behind a dot; of a list, in a loop",
        "у этого несколько своих слов: скажите, какое, после точки; для списка – в цикле",
    ),
    "not-comparable": Text(
        "numbers are compared with numbers, and only texts and lists contain anything",
        "числа сравнивают с числами, а содержать что-то могут только тексты и списки",
    ),
    "no-number": Text("a whole number of 0 or more has to stand here", "здесь должно быть целое число, не меньше 0"),
    "unreadable": Text(
        "something is missing or too much: a word, a sign or a bracket",
        "чего-то не хватает или что-то лишнее: слово, знак или скобка",
    ),
    "impossible": Text("this cannot be worked out", "это нельзя вычислить"),
}
"""What is wrong with a layout, by the word the sandbox has for it."""


def _refusal(reason: str, word: str, line: int | None) -> Text:
    said = REASONS[reason]
    place = Text(f"Line {line} of the layout", f"Строка {line} макета") if line else Text("The layout", "Макет")
    return Text(f"{place.en}: {said.en.format(word=word)}.", f"{place.ru}: {said.ru.format(word=word)}.")


def _answer_to(asked: str) -> dict[str, Any]:
    """What the sandbox answers; nothing where it was ended for what the layout wants."""
    try:
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-I", str(_SANDBOX)],
            input=asked,
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {}
    if done.returncode == 0:
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer
    if done.returncode > 0:  # it was not ended, but failed
        logger.error("A layout could not be filled in: %s", done.stderr)
    return {}


def words_of(sheet: ListSheet) -> dict[str, Any]:
    """What a layout may say of a list: plain texts, numbers and lists of them."""
    return {
        "name": sheet.name,
        "game": sheet.game,
        "points": _number(sheet.points),
        "points_limit": _number(sheet.limit),
        "factions": list(sheet.factions),
        "warlord": sheet.warlord,
        "facts": [{"name": name, "value": value} for name, value in sheet.facts],
        "summary": list(sheet.summary),
        "notes": sheet.notes,
        "verdict": sheet.verdict.value,
        "findings": [
            {"severity": one.severity.value, "rule": one.rule, "unit": one.unit, "message": one.message}
            for one in sheet.findings
        ],
        "unchecked": list(sheet.unchecked),
        "release": sheet.release.number,
        "revision": sheet.revision,
        "code": sheet.signed_verdict.code if sheet.signed_verdict else "",
        "address": sheet.signed_verdict.url if sheet.signed_verdict else "",
        "detachments": [
            {
                "name": block.name,
                "faction": block.faction,
                "points": _number(block.points),
                "roles": [
                    {
                        "name": role.name,
                        "points": _number(role.points),
                        "count": len(role.units),
                        "units": [_unit(unit) for unit in role.units],
                    }
                    for role in block.taken_roles
                ],
            }
            for block in sheet.detachments
        ],
        "units": [_unit(unit) for unit in sheet.units],
    }


def _unit(unit: SheetUnit) -> dict[str, Any]:
    return {
        "name": unit.name,
        "title": unit.title,
        "role": unit.role,
        "points": _number(unit.points),
        "count": unit.model_count,
        "is_warlord": unit.is_warlord,
        "is_character": unit.is_character,
        "trait": unit.warlord_trait,
        "notes": unit.notes,
        "facts": list(unit.facts),
        "rules": list(unit.rules),
        "wargear": [option.phrase for option in unit.options],
        "items": [option.phrase for option in unit.items],
        "models": [{"name": kind.name, "count": kind.number, "items": list(carried(kind))} for kind in unit.models],
    }


def _number(value: Decimal | None) -> int | float | None:
    if value is None:
        return None
    return int(value) if value == value.to_integral_value() else float(value)


def in_layout(army_list: ArmyList, layout_id: str | None) -> str:
    """A stored list in the layout of an organiser; in the example where none is named. Raises NotFound, EditRefused."""
    source = EXAMPLE if layout_id is None else layout_at(layout_id).source
    return laid_out(source, sheet_of(army_list))


def _printed(army_list: ArmyList, asked: Mapping[str, str]) -> bytes:
    return in_layout(army_list, asked.get("layout")).encode()


TEXT = ExportFormat(
    id="template",
    ending="txt",
    media_type=PLAIN_TEXT,
    label=Text(en="An organiser's layout", ru="Макет организатора"),
    write=lambda army_list: _printed(army_list, {}),
    printed=_printed,
)
