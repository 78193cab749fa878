"""Layouts that organisers write: filled in, refused with the line, and harmless whatever is written into them."""

import json
import re
import resource
from pathlib import Path
from typing import Any

import pytest

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import layouts, limits
from armybuilder.armylists.errors import EditRefused, NotFound, TooLarge
from armybuilder.armylists.exports import FORMATS, organiser_layout
from armybuilder.armylists.exports.files import sheet_of
from armybuilder.armylists.exports.layout_sandbox import FILTERS, TAGS, Thing, answer_to
from armybuilder.armylists.exports.organiser_layout import REASONS, _refusal, laid_out, words_of
from tests.armylists.conftest import Muster

EACH = """\
{{ name | upcase }} {{ points }}/{{ points_limit }}
{% for role in detachments[0].roles -%}
{{ role.name }} ({{ role.count }})
{% for unit in role.units -%}
{{ unit.count }} {{ unit.title }} [{{ unit.points }}]{% if unit.is_warlord %} W: {{ unit.trait }}{% endif %}
{% endfor %}{% endfor -%}
{{ verdict }}
"""


def test_a_list_is_laid_out(legal: Muster) -> None:
    assert laid_out(EACH, sheet_of(legal.row)).splitlines() == [
        "FIRST DRAFT 320/2000",
        "HQ (1)",
        "1 Praetor [120] W: Bloody-handed",
        "Troops (2)",
        "10 Tactical Squad [100]",
        "10 Tactical Squad [100]",
        "legal",
    ]


def test_every_word_is_a_plain_value(legal: Muster) -> None:
    def plain(value: object) -> bool:
        if isinstance(value, dict):
            return all(isinstance(key, str) and plain(one) for key, one in value.items())
        return all(map(plain, value)) if isinstance(value, list) else isinstance(value, str | int | float | None)

    assert plain(words_of(sheet_of(legal.row)))


@pytest.mark.long
@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("\n\n{{ name | nonsense }}", "Line 3 of the layout: .*nonsense"),
        ("{% if %}", "Line 1 of the layout: a tag is empty"),
        ("{% for unit in units %}", "The layout: endfor is missing"),
        ("a\n{% include 'secrets' %}", "Line 2 of the layout"),
        ("{{ name | append: name }}", "append"),
        ("{% for a in (1..1000) %}{% for b in (1..1000) %}x{% endfor %}{% endfor %}", "repeats too much"),
        ("{% for a in (1..999999999) %}{% endfor %}", "repeats too much"),
        ("{% for a in (1..19999) %}long enough a text{% endfor %}", "repeats too much"),
        ("{% for a in (1..4900) %}{{ (1..4999) | sort | reverse | size }}{% endfor %}", "repeats too much"),
        ("{% for a in (1..4900) %}{{ (1..4999) | join: name | upcase | size }}{% endfor %}", "repeats too much"),
        ("{% for a in (1..9) %}{{ (1..4999) | join: '" + "x" * 4_000 + "' | size }}{% endfor %}", "repeats too much"),
        ("{{" + " " * 4_900, "repeats too much"),
        ("{%" + " \n" * 2_400, "repeats too much"),
        ("{% if" + " " * 4_800 + "x", "repeats too much"),
        ("{% assign r = (1..99999999) %}" + "{% if r contains 'x' %}{% endif %}" * 100, "repeats too much"),
        ("{% for a in (1..999999999) offset: 999999990 %}{% endfor %}", "repeats too much"),
        ("{% for a in (1..4900) %}" + "{% if units == units %}{% endif %}" * 140 + "{% endfor %}", "repeats too much"),
        ("{{ points | minus: 'x' | round: 'y' }}{{ points | plus: units }}", None),
    ],
)
def test_what_is_wrong_or_wants_too_much_is_refused_at_once(legal: Muster, source: str, said: str | None) -> None:
    sheet, begun = sheet_of(legal.row), _seconds_of_processes()
    if said is None:
        assert isinstance(_text_or_refusal(source, sheet), str)
    else:
        with pytest.raises(EditRefused, match=said):
            laid_out(source, sheet)
    assert _seconds_of_processes() - begun < 1.5


BROKEN = {
    "no-filter": ["{{ name | shout }}", "{{ name | верх }}", "{{ 8 | divided_by: 0 }}", "{% echo name | map: 'a' %}"],
    "unfit": [
        *("{{ units | sum: 'name' }}", "{{ name | sum }}", "{{ 'NaN' | round }}", "{{ 'Infinity' | ceil }}"),
        *("{{ units | compact: 1 }}", "{{ units | has }}", "{{ points | where: 'x' }}", "{{ units | where }}"),
        *("{{ units | sort }}", "{{ name | upcase: 1, 2 }}", "{{ name | truncate: 'x' }}", "{{ points | plus }}"),
        *("{{ units | first: 2 }}", "{{ name | default: 1, foo: 3 }}", "{{ '1e400' | floor }}"),
    ],
    "no-tag": [
        *("{% foo %}", "{% include 'x' %}", "{% endfor %}", "{% else %}", "{% если name %}{% endif %}"),
        *("{% case name %}{% whne 1 %}{% endcase %}", "{% if a %}{% for x in y %}{% endif %}{% endfor %}"),
    ],
    "missing": ["{{ name", "{{ name }", "{%", "{% for unit in units", "{% for unit in units %}x", "{% if name %}x"],
    "open": [
        *("{% comment %}", "{% case name %}", "{% case name %} of", "{% case name %}{% when 'x' %}y"),
        "{% case name %}{% when 1 %}{% case points %}{% when 2 %}{% endcase %}",
    ],
    "several-words": [
        *("{{ units }}", "{{ units[0] }}", "{% echo units %}", "{{ units[0] | default: 'x' }}", "{% cycle units %}"),
        *("{% for unit in units %}{{ unit }}{% endfor %}", "{% assign all = units %}{{ all }}"),
    ],
    "empty": ["{% %}", "{% for %}{% endfor %}", "{% if %}x{% endif %}", "{% assign %}", "{% cycle %}"],
    "out-of-place": [
        *("{{ units['name }}", '{{ name | join: "x }}', "{{ 1 + 1 }}", "{{ @name }}", "{{ -name }}", "{% break %}"),
        "{% if name && points %}x{% endif %}",
    ],
    "not-comparable": ["{% if points > name %}x{% endif %}", "{% if points contains 1 %}x{% endif %}"],
    "no-number": ["{% for a in units limit:'x' %}{% endfor %}", "{% for a in units offset:-1 %}{% endfor %}"],
    "unreadable": [
        *("{{ }}", "{{ name | }}", "{{ | upcase }}", "{{ name || upcase }}", "{{ units[0 }}", "{{ a b }}"),
        *("{% if name == %}x{% endif %}", "{% if name = 1 %}x{% endif %}", "{% assign x %}"),
        *("{{ name | truncate: 5 'x' }}", "{% for a units %}{% endfor %}", "{% if (name) %}x{% endif %}"),
    ],
}


@pytest.mark.parametrize(("reason", "source"), [(reason, one) for reason, all_ in BROKEN.items() for one in all_])
def test_a_broken_layout_is_refused_in_an_organisers_words(reason: str, source: str) -> None:
    """Parser and Python spoke for themselves: "ConversionSyntax", "sum() takes 1 positional argument", and line 1."""
    words = {"name": "First draft", "points": 320, "units": [{"name": "Praetor", "points": 3}, {"name": "Y"}]}
    answer = answer_to(f"{{{{ name }}}}\n{source}", json.loads(json.dumps(words), object_hook=Thing))
    refusal = _refusal(**answer)
    assert answer["reason"] == reason and answer["word"] in source + "endfor endif }} %}"
    assert answer["line"] == 2 or "of the layout" not in refusal.en
    for text in (refusal.en, refusal.ru):
        assert not re.search(
            r"argument|decimal|expression|token|Error|_|\(\)|None|found", text.replace(answer["word"], "")
        )
    assert re.match(r"Строка 2 макета: |Макет: ", refusal.ru) and not re.search(
        r"[A-Za-z]{4}", _without(answer, refusal.ru)
    )


def test_every_reason_to_refuse_a_layout_is_walked() -> None:
    assert set(BROKEN) | {"impossible"} == set(REASONS)


def _without(answer: dict[str, Any], text: str) -> str:
    return text.replace(answer["word"], "")


def _seconds_of_processes() -> float:
    """What the processes that were started so far took of the processor."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_a_choice_that_the_layout_ends_in_is_told(legal: Muster) -> None:
    """Liquid looks for its end without one."""
    with pytest.raises(EditRefused, match="Line 2 of the layout: case has no end"):
        laid_out("{{ name }}\n{% case name %}", sheet_of(legal.row))


def test_choices_that_end_are_made(legal: Muster) -> None:
    inner = "{% case name %} or {% when 'First draft' %}inner{% else %}no{% endcase %}"
    assert laid_out(f"{{% case 1 %}}{{% when 1 %}}{inner}{{% endcase %}}", sheet_of(legal.row)) == "inner\n"


def test_what_has_words_of_its_own_is_not_written_as_python_writes_it(legal: Muster) -> None:
    source = "{{ name }}\n{% for unit in units %}\n{{ unit }}{% endfor %}"
    with pytest.raises(EditRefused, match="Line 3 of the layout: this has several words of its own"):
        laid_out(source, sheet_of(legal.row))


def test_a_layout_that_is_too_long_is_not_tried(legal: Muster) -> None:
    begun = _seconds_of_processes()
    with pytest.raises(TooLarge):
        laid_out("{{ name }}" * 501, sheet_of(legal.row))
    assert _seconds_of_processes() == begun


def test_a_sandbox_that_fails_is_logged(
    legal: Muster, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(organiser_layout, "_SANDBOX", Path("/nowhere.py"))
    with pytest.raises(EditRefused):
        laid_out("{{ name }}", sheet_of(legal.row))
    assert "/nowhere.py" in caplog.text


def _text_or_refusal(source: str, sheet: object) -> str:
    try:
        return laid_out(source, sheet)  # type: ignore[arg-type]
    except EditRefused as refusal:
        return refusal.text.en


def test_a_layout_reaches_nothing_but_its_words(legal: Muster) -> None:
    source = "{{ units.__class__ }}{{ name.__len__ }}{{ settings.SECRET_KEY }}{{ units[0].models[0].__init__ }}."
    assert laid_out(source, sheet_of(legal.row)) == ".\n"
    assert not FILTERS & {"append", "prepend", "replace", "times", "date", "safe", "concat", "split", "map"}
    assert not TAGS & {"include", "render", "capture", "tablerow", "liquid"}


@pytest.mark.long
@pytest.mark.parametrize("numbers", ["(1..999999999)", "(1..5001)"])
def test_a_long_range_is_made_into_nothing(legal: Muster, numbers: str) -> None:
    sheet = sheet_of(legal.row)
    for done in ("join: ','", "reverse", "sort", "sum", "compact", "uniq", "size"):
        with pytest.raises(EditRefused, match="too much"):
            laid_out(f"{{{{ {numbers} | {done} }}}}", sheet)
    assert (
        laid_out("{{ (1..4) | join: '+' }}{% for one in (1..999999999) limit: 2 %}!{% endfor %}", sheet)
        == "1+2+3+4!!\n"
    )


def test_names_stay_what_they_are(legal: Muster) -> None:
    row = legal.row
    row.name = "{{ points }} <b>=1+1</b> ../x"
    assert laid_out("{{ name }}", sheet_of(row)) == "{{ points }} <b>=1+1</b> ../x\n"


def test_a_layout_is_kept_changed_and_deleted_by_its_owner(legal: Muster, guest: Viewer) -> None:
    kept = layouts.keep_layout(legal.viewer, name="Cup", source=EACH)
    asked = {"layout": str(kept.pk)}
    assert b"FIRST DRAFT" in FORMATS["template"].file_of(legal.row, asked).content
    assert b"LIST: First draft (320 / 2000)" in FORMATS["template"].file_of(legal.row).content
    for wrong in ({"layout": "x"}, {"layout": str(legal.list_id)}):
        with pytest.raises(NotFound, match="layout"):
            FORMATS["template"].file_of(legal.row, wrong)
    with pytest.raises(NotFound):
        layouts.keep_layout(guest, name="Mine", source="x", layout_id=kept.pk)
    with pytest.raises(NotFound):
        layouts.delete_layout(guest, kept.pk)
    layouts.keep_layout(legal.viewer, name="Cup", source="{{ name }}", layout_id=kept.pk)
    assert FORMATS["template"].file_of(legal.row, asked).content == b"First draft\n"
    with pytest.raises(TooLarge):
        layouts.keep_layout(legal.viewer, name="Long", source="x" * (limits.LAYOUT_LENGTH + 1))
    with pytest.raises(EditRefused):
        layouts.keep_layout(legal.viewer, name=" ", source="x")
    layouts.delete_layout(legal.viewer, kept.pk)
    with pytest.raises(NotFound):
        layouts.layout_at(str(kept.pk))
