"""Texts of a list as golden files in both languages, and names that try to be more than names."""

import csv
import json
import os
import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.utils import translation
from jsonschema import Draft202012Validator

from armybuilder.armylists import edits as e
from armybuilder.armylists.documents import ListDocument, read_document
from armybuilder.armylists.exports import FORMATS, formats_of
from armybuilder.armylists.exports.files import sheet_of
from armybuilder.armylists.exports.markdown import MESSAGE, length, messages
from armybuilder.armylists.imports.files import import_file
from armybuilder.armylists.list_file import schema
from armybuilder.armylists.models import SignedVerdict
from armybuilder.armylists.signed_verdicts import printed
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.engine.findings import Verdict
from armybuilder.engine.roster.available_options import offers
from tests.armylists.conftest import ALLIED, AUXILIA, Muster
from tests.armylists.recruiting import flat
from tests.armylists.texts import TEXTS, WITH_VERDICT

GOLDEN = Path(__file__).parents[1] / "golden" / "exports"
REWRITE = "REWRITE_GOLDEN"
"""Set in the environment, the golden files become what the exporters write now (`make golden`)."""

SCHEMA = Path(__file__).parents[2] / "docs" / "list-file.schema.json"

GUIDE = Path(__file__).parents[2] / "docs" / "game_data.md"


IDS = [
    *("json", "ros", "rosz", "text-battlescribe", "text-new-recruit", "text-wtc", "text-wtc-full", "text-gw"),
    *("text-owb", "text-owb-full", "markdown", "bbcode", "plain", "secret", "template", "csv"),
    *("pdf", "cards-pdf", "png", "svg", "tts"),
]

NASTY = '=HYPERLINK("x")[b]**<script>alert(1)</script>@everyone ../../etc \u202egnp.exe\u200f [x](javascript:1)'


@pytest.fixture
def marching(legal: Muster) -> Muster:
    """A legal list with a name and notes of the player's own."""
    unit = legal.document.roster.forces[0].selections[1]
    legal.edit(e.SetName(name="Autumn muster"), e.Rename(node_id=unit.id, name="Ash Hounds"))
    legal.edit(e.SetNotes(node_id=unit.id, notes="painted\nlast winter"))
    return legal


@pytest.fixture
def short(muster: Callable[..., Muster]) -> Muster:
    """An illegal list: a warlord alone."""
    army = muster(name="Too few", points_limit=2000)
    army.unit("hh-la-praetor")
    return army


def test_the_formats_are_those_that_addresses_name() -> None:
    assert list(FORMATS) == IDS


def test_the_guide_tells_every_format() -> None:
    table = GUIDE.read_text(encoding="utf-8").partition("| id | what |\n|---|---|\n")[2].partition("\n\n")[0]
    told = [name for row in table.splitlines() for name in re.findall(r"`([\w-]+)`", row.split("|")[1])]
    assert sorted(told) == sorted(FORMATS)


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("format_id", TEXTS)
def test_a_list_is_the_golden_text(marching: Muster, format_id: str, language: str) -> None:
    with translation.override(language):
        file = FORMATS[format_id].file_of(marching.row)
    _is_golden(f"{format_id}.{language}.{FORMATS[format_id].ending}", file.content)


def _is_golden(name: str, content: bytes) -> None:
    path = GOLDEN / name
    code = SignedVerdict.objects.latest("created").code
    content = content.replace(printed(code).encode(), b"VERDI-CTC0D")  # of chance
    if os.environ.get(REWRITE):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    assert content == path.read_bytes(), f"{name} has changed; if that is meant: make golden"


@pytest.mark.parametrize("format_id", WITH_VERDICT)
def test_an_illegal_list_never_looks_legal(short: Muster, format_id: str) -> None:
    assert short.report.verdict is Verdict.ILLEGAL
    text = FORMATS[format_id].file_of(short.row).content.decode()
    assert "NOT LEGAL" in text
    assert all(finding.rule in text for finding in short.report.findings if finding.severity == "error") or (
        format_id == "secret"
    )
    with translation.override("ru"):
        assert "НЕ СООТВЕТСТВУЕТ ПРАВИЛАМ" in FORMATS[format_id].file_of(short.row).content.decode()


def test_every_unit_and_option_of_the_roster_is_on_the_sheet(marching: Muster) -> None:
    sheet = sheet_of(marching.row)
    units = [selection for force in marching.report.state.all_forces() for selection in force.selections]
    assert [unit.id for unit in sheet.units] == [unit.id for unit in units]
    assert sum(unit.points or 0 for unit in sheet.units) == sheet.points == marching.report.points.total
    for unit, state in zip(sheet.units, units, strict=True):
        assert unit.model_count == (sum(part.number for part in state.walk() if part.type == "model") or 1)
        assert {row.name for row in (*unit.profiles, *unit.weapons)} == {
            row.name for part in state.walk() for row in part.profiles
        }
    assert [unit.is_warlord for unit in sheet.units].count(True) == 1
    assert sheet.warlord == "Praetor (Bloody-handed)"
    assert dict(sheet.facts)["allegiance"] == "Traitor"
    assert (sheet.release.number, sheet.limit) == (1, 2000)


@pytest.mark.parametrize("format_id", ["text-new-recruit", "text-battlescribe", "text-wtc", "plain"])
def test_an_ally_of_another_faction_comes_back_as_such(legal: Muster, format_id: str) -> None:
    """The first line of New Recruit's layout names the faction of the first detachment only."""
    auxilia = legal.detachment(ALLIED, AUXILIA)
    legal.edit(e.SetName(name="Autumn - muster (2nd draft)"))
    shown = flat(offers(legal.report.library, legal.report.state, node_id=auxilia))
    legal.unit(next(one.entry_id for one in shown if not one.hidden), force_id=auxilia)
    text = FORMATS[format_id].file_of(legal.row).content
    if format_id == "text-new-recruit":
        assert "# ++ Allied Detachment (Solar Auxilia) ++" in text.decode()
    back = import_file(legal.viewer, text, file_name="army.txt")
    assert (back.dropped, back.army_list.name) == ((), "Autumn - muster (2nd draft)")
    assert _forces(read_document(back.army_list.document)) == _forces(legal.document)


def _forces(document: ListDocument) -> list[tuple[str, int]]:
    return [(force.catalogue_id, len(force.selections)) for force in document.roster.forces]


def test_the_secret_text_tells_no_points(marching: Muster) -> None:
    secret = FORMATS["secret"].file_of(marching.row).content.decode()
    assert "pts" not in secret and "Bloody-handed" not in secret and "last winter" not in secret
    for unit in sheet_of(marching.row).units:
        assert f"{unit.points}" not in secret.replace("data 1", "")
        assert unit.name in secret


@pytest.mark.parametrize("format_id", TEXTS)
def test_nasty_names_stay_names(marching: Muster, format_id: str) -> None:
    unit = marching.document.roster.forces[0].selections[1]
    marching.edit(e.Rename(node_id=unit.id, name=NASTY[:110]), e.SetName(name=NASTY[:110]))
    file = FORMATS[format_id].file_of(marching.row)
    assert "/" not in file.name and not file.name.startswith(".") and "\u202e" not in file.name
    text = file.content.decode("utf-8-sig")
    assert "\u202e" not in text and "\u200f" not in text
    if format_id == "csv":
        cells = [cell for row in csv.reader(StringIO(text)) for cell in row]
        assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]
        assert any(cell.startswith("'=HYPERLINK") for cell in cells)
    if format_id == "markdown":
        assert (
            "<script" not in text.replace("\\<", "") and "@everyone" not in text and "](" not in text.replace("\\]", "")
        )
    if format_id == "bbcode":
        assert "[x]" not in text and '=HYPERLINK("x")(b)' in text


def test_a_long_list_goes_out_in_messages_that_discord_takes(marching: Muster) -> None:
    for _ in range(25):
        marching.unit("hh-la-tactical-squad")
    pieces = FORMATS["markdown"].pieces
    assert pieces is not None
    whole, found = FORMATS["markdown"].file_of(marching.row).content.decode(), pieces(marching.row)
    assert len(found) > 1 and all(0 < length(piece) <= MESSAGE for piece in found)
    assert "".join("".join(found).split()) == "".join(whole.split())


@pytest.mark.parametrize("text", ["", "\n\n", "a" * 5000, "𝔸" * 3000, ("word " * 900), "x\n" * 2500])
def test_any_text_is_cut_without_loss(text: str) -> None:
    found = messages(text)
    assert all(0 < length(piece) <= MESSAGE for piece in found)
    assert "".join("".join(found).split()) == "".join(text.split())


def test_an_army_has_every_format(marching: Muster, heresy: PublishedSystem) -> None:
    assert [one.id for one in formats_of(marching.row)] == IDS


def test_the_published_schema_is_that_of_the_file(marching: Muster) -> None:
    made = json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
    if os.environ.get(REWRITE):
        SCHEMA.write_text(made, encoding="utf-8")
    assert made == SCHEMA.read_text(encoding="utf-8"), "the format has changed; if that is meant: make golden"
    Draft202012Validator.check_schema(schema())
    Draft202012Validator(schema()).validate(json.loads(FORMATS["json"].file_of(marching.row).content))
