"""Lists on paper: PDF of roster and cards, pictures; what is printed and what may be left out."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

import msgspec
import pytest
from django.utils import translation

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists.errors import EditRefused, NotFound, PressBusy
from armybuilder.armylists.exports import FORMATS
from armybuilder.armylists.exports.files import plain_sheet_of, sheet_of
from armybuilder.armylists.exports.paper import CARDS, CARDS_AT_ONCE, PREVIEW, PaperOptions, paper_data, paper_of
from armybuilder.armylists.exports.press import Press
from armybuilder.armylists.list_sheet import ListSheet, SheetOption, SheetProfile, SheetRelease, SheetUnit, SheetVerdict
from armybuilder.engine.findings import Verdict
from tests.armylists.conftest import Muster
from tests.armylists.named_lists import published
from tests.armylists.random_lists import random_list
from tests.armylists.units_alone import library_in

NASTY = '#import "x" $ * _ ] [ \\ @ =HYPERLINK("x") <script>../../etc \u202egnp'


def text_of(pdf: bytes, tmp_path: Path) -> list[str]:
    """The words on each page."""
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed (apt-get install poppler-utils)")
    (tmp_path / "out.pdf").write_bytes(pdf)
    found = subprocess.run(["pdftotext", "-layout", tmp_path / "out.pdf", "-"], capture_output=True, check=True)
    return found.stdout.decode().split("\f")[:-1]


def test_a_roster_has_everything_on_it(legal: Muster, tmp_path: Path) -> None:
    with translation.override("ru"):
        file = FORMATS["pdf"].file_of(legal.row, {"player": "Иван Петров", "event": "Осенний сбор"})
    assert file.media_type == "application/pdf" and file.content.startswith(b"%PDF")
    pages = text_of(file.content, tmp_path)
    whole = "\n".join(pages)
    for words in ("Иван Петров", "Осенний сбор", "First draft", "320 очков / 2 000 очков", "соответствует правилам"):
        assert words in whole.replace("\u00a0", " ")
    assert "Сводка" in whole and "данные 1" in whole
    assert re.search(r"Дв\s+НБ\s+НС\s+С\s+Ст", whole) and not re.search(r"\bWS\s+BS\b", whole)
    assert all(f"{number}/{len(pages)}" in page.replace(" ", "") for number, page in enumerate(pages, 1))


def test_an_illegal_list_says_so_on_paper(muster: Callable[..., Muster], tmp_path: Path) -> None:
    army = muster(points_limit=2000)
    army.unit("hh-la-praetor")
    for format_id in ("pdf", "cards-pdf"):
        whole = "\n".join(text_of(FORMATS[format_id].file_of(army.row, {"without": "findings"}).content, tmp_path))
        assert "NOT LEGAL" in whole and "Error HH-" not in whole
    assert "Error HH-" in "\n".join(text_of(FORMATS["pdf"].file_of(army.row).content, tmp_path))


@pytest.mark.parametrize("card", CARDS)
def test_there_is_a_card_for_each_distinct_unit(legal: Muster, card: str, tmp_path: Path) -> None:
    sheet = sheet_of(legal.row)
    data = paper_data(sheet, PaperOptions(card=card), kind="cards")
    assert [(one["title"], one["count"]) for one in data["cards"]] == [("Praetor", 1), ("Tactical Squad", 2)]
    praetor, squad = data["cards"]
    assert praetor["wounds"] == [{"name": "Praetor", "each": 3, "count": 3}]
    assert squad["wounds"] == [
        {"name": "Legion Tactical Sergeant", "each": 1, "count": 2},
        {"name": "Legionary", "each": 1, "count": 18},
    ]
    pages = text_of(FORMATS["cards-pdf"].file_of(legal.row, {"card": card, "without": "summary"}).content, tmp_path)
    assert len(pages) == (2 if card in ("a5", "a6") else 1)
    assert "Tactical Squad × 2" in re.sub(r" +", " ", "\n".join(pages))


def test_paper_counts_as_the_pages_do_and_texts_as_other_tools_do(legal: Muster) -> None:
    sheet = sheet_of(legal.row)
    squad = next(unit for unit in sheet.units if unit.name == "Tactical Squad")
    assert any(option.words.startswith("9\u00a0× Legionary") for option in squad.options)
    assert any(option.phrase.startswith("9x Legionary") for option in squad.options)
    printed = paper_data(sheet, PaperOptions(), kind="cards")["cards"][1]["rows"]
    assert any(row.startswith("9\u00a0× Legionary") for row in printed)


def test_the_summary_has_the_columns_that_say_something(legal: Muster) -> None:
    sheet = plain_sheet_of(legal.row)
    told = [
        paper_data(sheet, PaperOptions(without=frozenset(without)), kind="roster")["summary"]["columns"]
        for without in ((), ("points",))
    ]
    assert told == [[0, 1, 2, 3], [0, 1, 2]]


def test_what_a_unit_is_stands_above_what_it_can(legal: Muster) -> None:
    """Some data tells abilities first, and cards began with half a page of them."""
    for unit in plain_sheet_of(legal.row).units:
        are_units = [row.type == "Unit" for row in unit.profiles]
        assert are_units == sorted(are_units, reverse=True) and are_units[0]


@pytest.mark.parametrize("name", ["Legionary", "Drone"])
def test_models_that_a_name_counts_have_boxes_each(legal: Muster, name: str) -> None:
    """Epic's data offers "2x Heavy Drones, 4x Attack Drones" as one model."""
    sheet = plain_sheet_of(legal.row)
    told = SheetOption(name=f"4x {name}, 2x Heavy {name}", is_model=True)
    unit = msgspec.structs.replace(sheet.units[1], options=(told,), is_model=False, profiles=())
    role = msgspec.structs.replace(sheet.detachments[0].roles[1], units=(unit,))
    block = msgspec.structs.replace(sheet.detachments[0], roles=(role,))
    data = paper_data(msgspec.structs.replace(sheet, detachments=(block,)), PaperOptions(), kind="cards")
    assert [(row["name"], row["count"]) for row in data["cards"][0]["wounds"]] == [(name, 4), (f"Heavy {name}", 2)]
    assert data["summary"]["rows"][0][2] == "6"


def test_what_wargear_does_is_told_once_before_small_cards(legal: Muster, tmp_path: Path) -> None:
    """Sentences of the data on a poker card made its figures too small to be read."""
    sheet = plain_sheet_of(legal.row)
    talk = SheetProfile("Wargear", "Breach Charge", (("Description", "It throws a great heap of splinters. " * 4),))
    units = tuple(msgspec.structs.replace(unit, profiles=(*unit.profiles, talk)) for unit in sheet.units)
    role = msgspec.structs.replace(sheet.detachments[0].roles[0], units=units)
    block = msgspec.structs.replace(sheet.detachments[0], roles=(role,))
    sheet = msgspec.structs.replace(sheet, detachments=(block,))

    def pages(card: str, **options: frozenset[str]) -> list[int]:
        made = paper_of(sheet, PaperOptions(card=card, **options), kind="cards")  # type: ignore[arg-type]
        return [" ".join(page.split()).count("great heap of") for page in text_of(made, tmp_path)]

    assert pages("poker")[0] == 4 and sum(pages("poker")[1:]) == 0
    assert pages("a6")[0] == 0 and sum(pages("a6")) == 8
    assert sum(pages("poker", without=frozenset({"summary"}))) > 0


@pytest.mark.parametrize("card", CARDS)
def test_what_is_too_much_for_a_card_goes_on_on_the_next(legal: Muster, card: str, tmp_path: Path) -> None:
    """It was set smaller and smaller, down to 3.8 points in tables; the page of a magnifying glass."""
    sheet = plain_sheet_of(legal.row)
    talk = tuple(
        SheetProfile(
            "Special Rule", f"Rule {at}", (("Description", f"Sentence{at} of a rule as long as they come. " * 9),)
        )
        for at in range(12)
    )
    unit = msgspec.structs.replace(sheet.units[0], profiles=(*sheet.units[0].profiles, *talk))
    role = msgspec.structs.replace(sheet.detachments[0].roles[0], units=(unit,))
    block = msgspec.structs.replace(sheet.detachments[0], roles=(role,))
    sheet = msgspec.structs.replace(sheet, detachments=(block,))
    made = paper_of(sheet, PaperOptions(card=card, without=frozenset({"summary"})), kind="cards")
    words = " ".join(text_of(made, tmp_path)).split()
    assert [words.count(f"Sentence{at}") for at in range(12)] == [9] * 12
    assert words.count(unit.name) > 2, "each card says whose it is"
    found = subprocess.run(["pdftotext", "-bbox", tmp_path / "out.pdf", "-"], capture_output=True, check=True)
    heights = [
        float(low) - float(high)
        for high, low in re.findall(r'yMin="([\d.]+)".*?yMax="([\d.]+)"', found.stdout.decode())
    ]
    assert min(heights) > 5.5


def test_the_code_of_a_verdict_is_never_broken_by_a_hyphen(legal: Muster, tmp_path: Path) -> None:
    """ "BNPAL-LAGWP" at the end of a line was "BN-" and "PAL-LAGWP": another code."""
    sheet = msgspec.structs.replace(
        sheet_of(legal.row),
        name="Sixty units with a name that is as long as a name may be, "
        "and then some more of it so that it has to break",
        verdict=Verdict.ILLEGAL,
        release=SheetRelease(1, "76"),
        signed_verdict=SheetVerdict("BNPAL-LAGWP", "/v/BNPAL-LAGWP/"),
    )
    page = text_of(paper_of(sheet, PaperOptions(without=frozenset({"profiles"})), kind="roster"), tmp_path)[0]
    assert page.count("BNPAL-LAGWP") == 4


def test_what_is_left_out_is_not_printed(legal: Muster, tmp_path: Path) -> None:
    unit = legal.document.roster.forces[0].selections[1]
    legal.edit(e.SetNotes(node_id=unit.id, notes="painted last winter"))
    whole = "\n".join(text_of(FORMATS["pdf"].file_of(legal.row).content, tmp_path))
    assert "painted last winter" in whole and "120 pts" in whole and "Rapid Fire" in whole
    bare = FORMATS["pdf"].file_of(legal.row, {"without": "notes,points,profiles", "ink": "save", "paper": "letter"})
    whole = "\n".join(text_of(bare.content, tmp_path))
    assert "painted last winter" not in whole and "120 pts" not in whole and "Rapid Fire" not in whole


def test_names_are_words_and_not_markup(legal: Muster, tmp_path: Path) -> None:
    unit = legal.document.roster.forces[0].selections[1]
    legal.edit(e.SetName(name=NASTY[:110]), e.Rename(node_id=unit.id, name=NASTY[:110]))
    whole = "\n".join(text_of(FORMATS["pdf"].file_of(legal.row).content, tmp_path))
    assert '#import "x" $ * _ ] [' in whole and "\u202e" not in whole
    assert "/" not in FORMATS["pdf"].file_of(legal.row).name


@pytest.mark.parametrize(("format_id", "start"), [("png", b"\x89PNG"), ("svg", b"<svg")])
def test_pictures_of_the_list_and_of_one_unit(legal: Muster, format_id: str, start: bytes) -> None:
    unit = sheet_of(legal.row).units[0]
    whole = FORMATS[format_id].file_of(legal.row).content
    card = FORMATS[format_id].file_of(legal.row, {"unit": unit.id}).content
    assert whole.startswith(start) and card.startswith(start) and whole != card
    with pytest.raises(NotFound):
        FORMATS[format_id].file_of(legal.row, {"unit": "gone"})


def test_the_preview_has_the_size_that_chats_show(legal: Muster) -> None:
    picture = PREVIEW.write(legal.row)
    width, height = int.from_bytes(picture[16:20], "big"), int.from_bytes(picture[20:24], "big")
    assert (width, height) == (1200, 630)


def test_an_unknown_size_is_refused(legal: Muster) -> None:
    with pytest.raises(EditRefused, match="half, a5, a6, poker"):
        FORMATS["cards-pdf"].file_of(legal.row, {"card": "a0"})


def test_more_different_cards_than_memory_is_for_are_refused(legal: Muster) -> None:
    """Each card takes some 10 MB while it is set; the same card twice is one."""
    sheet = plain_sheet_of(legal.row)
    block = sheet.detachments[0]
    one = sheet.units[0]

    def listing(notes: list[str]) -> ListSheet:
        units = tuple(msgspec.structs.replace(one, id=str(at), notes=text) for at, text in enumerate(notes))
        roles = (msgspec.structs.replace(block.taken_roles[0], units=units),)
        return msgspec.structs.replace(sheet, detachments=(msgspec.structs.replace(block, roles=roles),))

    def data(notes: list[str], kind: str) -> Any:
        return paper_data(listing(notes), PaperOptions(), kind=kind)

    different = [str(at) for at in range(CARDS_AT_ONCE + 1)]
    assert len(data(different[:-1], "cards")["cards"]) == CARDS_AT_ONCE
    assert len(data(["alike"] * 200, "cards")["cards"]) == 1
    assert data(different, "roster")["detachments"]
    with pytest.raises(EditRefused, match="61 different cards; 60 are printed at once"):
        data(different, "cards")


def test_a_type_of_unit_leaves_a_narrow_card_room_for_names(legal: Muster, tmp_path: Path) -> None:
    """A word in the line of figures took the width of the names, which stood one letter below the other."""
    stats = [(name, "4") for name in ("M", "WS", "BS", "S", "T", "W", "I", "A", "Ld")]
    row = SheetProfile(
        name="Old Dreadnought", type="Unit", characteristics=(*stats, ("Type", "Dreadnought"), ("Save", "2+"))
    )
    sheet = plain_sheet_of(legal.row)
    unit = msgspec.structs.replace(sheet.units[0], profiles=(row,), weapons=())
    roles = (msgspec.structs.replace(sheet.detachments[0].taken_roles[0], units=(unit,)),)
    sheet = msgspec.structs.replace(sheet, detachments=(msgspec.structs.replace(sheet.detachments[0], roles=roles),))
    words = text_of(paper_of(sheet, PaperOptions(card="poker"), kind="cards"), tmp_path)[-1]
    assert "Old Dreadnought" in words and words.split().count("Dreadnought") == 2


def test_papers_wait_for_their_turn_only_a_while_and_only_a_few() -> None:
    """Eight threads answer pages; papers that all wait for one another would hold them."""
    press = Press(waiting=1, seconds=0.05)
    with press.turn():
        with pytest.raises(PressBusy), press.turn():
            pass
        patient = Press(waiting=1, seconds=30)
        waits = Thread(target=lambda: wait_in(patient))
        with patient.turn():
            waits.start()
            while patient.free:  # until the other one stands in line
                sleep(0.001)
            with pytest.raises(PressBusy), patient.turn():  # at once, not after thirty seconds
                pass
        waits.join(timeout=10)
        assert not waits.is_alive() and patient.free == 2
    with press.turn():
        pass


def wait_in(press: Press) -> None:
    with press.turn():
        pass


def with_units(sheet: ListSheet, *units: SheetUnit) -> ListSheet:
    """The sheet with nothing but these units."""
    role = msgspec.structs.replace(sheet.detachments[0].roles[0], units=units)
    block = msgspec.structs.replace(sheet.detachments[0], roles=(role,))
    return msgspec.structs.replace(sheet, detachments=(block,))


@pytest.mark.parametrize("kind", ["roster", "cards"])
def test_a_row_of_a_table_never_breaks_across_pages(kind: str, legal: Muster, tmp_path: Path) -> None:
    """The end of a rule stood on the next page beside an empty cell: of what, nobody could tell."""
    sheet = plain_sheet_of(legal.row)
    talk = tuple(
        SheetProfile("Wargear", f"Thing{at}", (("Description", f"Sentence{at} goes on and on for a while. " * 25),))
        for at in range(24)
    )
    unit = msgspec.structs.replace(sheet.units[0], profiles=talk)
    options = PaperOptions(card="poker")
    pages = text_of(paper_of(with_units(sheet, unit), options, kind=kind), tmp_path)  # type: ignore[arg-type]
    assert len(pages) > 2
    for at in range(24):
        told = [page.split().count(f"Sentence{at}") for page in pages]
        assert sorted(told)[-1] == sum(told) == 25, at
        assert f"Thing{at}" in pages[told.index(25)].split()


def test_a_row_longer_than_a_page_is_printed_to_its_end(legal: Muster, tmp_path: Path) -> None:
    sheet = plain_sheet_of(legal.row)
    talk = SheetProfile("Wargear", "Endless", (("Description", "Sentence of a rule as long as they come. " * 400),))
    unit = msgspec.structs.replace(sheet.units[0], profiles=(talk,))
    pages = text_of(paper_of(with_units(sheet, unit), PaperOptions(), kind="roster"), tmp_path)
    assert " ".join(pages).split().count("Sentence") == 400


def test_boxes_are_those_of_the_profile_that_is_meant(legal: Muster) -> None:
    """Models called in the plural, with their weapons, or otherwise than the one profile had one wound each."""
    sheet = plain_sheet_of(legal.row)
    chosen = (SheetProfile("Unit", "Chosen", (("WS", "4"), ("W", "2"))),)
    armour = SheetProfile("Wargear", "Plate", (("Description", "It protects."),))
    squad = SheetUnit(
        id="1",
        name="Squad",
        role="Elites",
        points=None,
        options=(
            SheetOption(name="Chosens", number=3, is_model=True),
            SheetOption(name="Chosen w/ Axe", is_model=True),
        ),
        profiles=chosen,
    )
    speeder = SheetUnit(
        id="2",
        name="Squadron",
        role="Elites",
        points=None,
        options=(SheetOption(name="Speeder with Lance", is_model=True),),
        profiles=(armour, SheetProfile("Unit", "Javelin", (("WS", "4"), ("W", "5")))),
    )
    titan = SheetUnit(
        id="3",
        name="Titans",
        role="Elites",
        points=None,
        options=(SheetOption(name="Titan", number=2, is_model=True),),
        profiles=(SheetProfile("War Engine", "Titan", (("Speed", "20cm"), ("Range", "45cm"), ("DC", "6"))),),
    )
    data = paper_data(with_units(sheet, squad, speeder, titan), PaperOptions(), kind="cards")
    assert [[(row["name"], row["each"], row["count"]) for row in card["wounds"]] for card in data["cards"]] == [
        [("Chosens", 2, 6), ("Chosen w/ Axe", 2, 2)],
        [("Speeder with Lance", 5, 5)],
        [("Titan", 6, 12)],
    ]


def test_a_body_with_its_weapons_in_the_same_row_is_no_weapon() -> None:
    """So a titan's damage capacity was looked for in vain, on cards and at the table."""
    titan = SheetProfile("War Engine", "Titan", (("Speed", "20cm"), ("Armour", "5+"), ("Range", "45cm"), ("DC", "6")))
    assert not titan.is_weapon and SheetProfile("Weapon", "Gun", (("Range", "45cm"), ("AP", "5"))).is_weapon


def test_names_beside_many_figures_are_whole_on_a_small_card(legal: Muster, tmp_path: Path) -> None:
    """ "Thunderhawk" was "Thun-der-hawk" in a column of one syllable, over which headings were printed."""
    sheet = plain_sheet_of(legal.row)
    figures = (("Speed", "Bomber"), ("Armour", "4+"), ("CC", "6+"), ("FF", "5+"), ("DC", "2"), ("Crit", "Crash"))
    guns = (("Дальность", "Рукопашная"), ("Сила", "As User"), ("Особые правила", "None"))
    profiles = (SheetProfile("Machine", "Thunderhawk", figures), SheetProfile("Оружие", "Deathspinner", guns))
    unit = msgspec.structs.replace(sheet.units[0], name="Unit", options=(), profiles=profiles, weapons=())
    options = PaperOptions(card="poker", without=frozenset({"summary"}))
    (page,) = text_of(paper_of(with_units(sheet, unit), options, kind="cards"), tmp_path)
    assert {"Thunderhawk", "Deathspinner", "Machine", "Оружие"} <= set(page.split())


@pytest.mark.parametrize(("language", "words"), [("en", "own unit"), ("ru", "свой отряд")])
def test_an_own_unit_is_marked_where_findings_are_left_out(
    language: str, words: str, legal: Muster, tmp_path: Path
) -> None:
    legal.edit(e.SetOwnUnit(force_id=legal.force_id, name="Iron Hounds", points=90, models=5))
    for format_id in ("pdf", "cards-pdf"):
        with translation.override(language):
            made = FORMATS[format_id].file_of(legal.row, {"without": "findings"}).content
        told = re.sub(r"\s+", " ", " ".join(text_of(made, tmp_path)))
        assert f"Iron Hounds ({words})" in told and f"Iron Hounds {words}" in told


@pytest.mark.shared
@pytest.mark.long
def test_a_list_of_community_data_is_printed_without_marks_of_its_authors(
    shared: Path, viewer: Viewer, tmp_path: Path
) -> None:
    """ "Twin Lascannon<BR><BR>Twin Heavy Bolter" was printed like that, over the next column."""
    library = library_in(shared / "battlescribe" / "data" / "wh40k-epic-armageddon")
    row = random_list(viewer, published("epic", library), library, "Space Marines: Imperial", 5)
    sheet = plain_sheet_of(row)
    values = [value for unit in sheet.units for profile in unit.profiles for _, value in profile.characteristics]
    assert any(" / " in value for value in values) and not any("<" in value for value in values)
    for format_id in ("pdf", "cards-pdf"):
        assert "<BR>" not in "".join(text_of(FORMATS[format_id].file_of(row).content, tmp_path))
