"""Units that somebody else must allow, in the community's data: the objection names who would."""

from pathlib import Path

import pytest

from tests.armylists.units_alone import Bench, library_in

pytestmark = pytest.mark.shared

GAMES = {"wh40k-7th-edition": "wh40k-6th", "wh40k-6th-1.14b": "wh40k-6th", "whfb": "fantasy-8th"}
FILES = {
    "whfb": ("Warhammer Fantasy 8th ed.gst", "Dwarfs - 8thBRB_8thAB.catz", "Skaven - 8thBRB_7thAB.catz"),
    "wh40k-7th-edition": ("Warhammer40K.gstz", "Astra Militarum - Codex.catz"),
    "wh40k-6th-1.14b": ("Warhammer40K.gst", "Orks - Codex.catz", "Space Marines - Codex.catz"),
}
ALLOWED = [
    ("wh40k-7th-edition", "Astra", "Cadian Battle Group", "Ogryn Auxilia",
     "Cadian Battle Group: Auxiliary – 1 taken, at most 0 allowed. Remove 1, or take Core.",
     "Cadian Battle Group: «Auxiliary» – взято 1, можно не больше 0. Уберите 1 или возьмите: Core."),
    ("wh40k-7th-edition", "Astra", "Castellans of the Imperium", "Commissar",
     "Commissar – 1 taken, at most 0 allowed. Remove 1, or take Company Command Squad or Platoon Command Squad.",
     "«Commissar» – взято 1, можно не больше 0. Уберите 1 или возьмите: Company Command Squad или "
     "Platoon Command Squad."),
    ("wh40k-7th-edition", "Astra", "Apocalypse", "Wall of Martyrs Defence Strongpoint",
     "Macro Cannon is not available in this list as it stands. Remove it. Not in: Wall of Martyrs Defence Strongpoint.",
     "«Macro Cannon» сейчас взять нельзя. Уберите. Не в: Wall of Martyrs Defence Strongpoint."),
    ("whfb", "Dwarfs", "Standard", "Bugman's Rangers",
     "Bugman's Rangers – 1 taken, at most 0 allowed. Remove 1, or take Josef Bugman.",
     "«Bugman's Rangers» – взято 1, можно не больше 0. Уберите 1 или возьмите: Josef Bugman."),
    ("whfb", "Skaven", "Standard", "Throt's Rat Ogres",
     "Throt's Rat Ogres – 1 taken, at most 0 allowed. Remove 1, or take Throt the Unclean.",
     "«Throt's Rat Ogres» – взято 1, можно не больше 0. Уберите 1 или возьмите: Throt the Unclean."),
    ("wh40k-6th-1.14b", "Orks", "Primary Detachment", "Kustom Meka-Dread (FW)",
     "Kustom Meka-Dread (FW) – 1 taken, at most 0 allowed. Remove 1, or take Mega-Dread (FW).",
     "«Kustom Meka-Dread (FW)» – взято 1, можно не больше 0. Уберите 1 или возьмите: Mega-Dread (FW)."),
    ("wh40k-6th-1.14b", "Space Marines", "Primary Detachment", "Captain Cato Sicarius",
     "Captain Cato Sicarius – 1 taken, at most 0 allowed. Remove 1, or take Ultramarines.",
     "«Captain Cato Sicarius» – взято 1, можно не больше 0. Уберите 1 или возьмите: Ultramarines."),
    ("wh40k-6th-1.14b", "Space Marines", "Primary Detachment", "Command Squad",
     "Command Squad – 1 taken, at most 0 allowed. Remove 1, or take Captain Cato Sicarius or Captain Darnath Lysander "
     "or Chaplain or Captain or one of 5 others.",
     "«Command Squad» – взято 1, можно не больше 0. Уберите 1 или возьмите: Captain Cato Sicarius или "
     "Captain Darnath Lysander или Chaplain или Captain или другое (ещё 5)."),
]  # fmt: skip


def bench(shared: Path, data: str) -> Bench:
    return Bench(library_in(shared / "battlescribe" / "data" / data, FILES[data]), GAMES[data], 2000)


@pytest.mark.parametrize(("data", "catalogue", "force", "unit", "english", "russian"), ALLOWED)
def test_the_objection_names_what_would_allow_a_unit(
    shared: Path, data: str, catalogue: str, force: str, unit: str, english: str, russian: str
) -> None:
    desk = bench(shared, data)
    book = next(one for one in desk.library.catalogues if one.name.startswith(catalogue))
    entry = next(one for one in desk.library.force_entries(book.id) if one.name.startswith(force))
    roster, force_id = desk.force(entry.id, book.id)
    wanted = next(offer for offer in desk.offered(roster, force_id) if offer.name == unit and not offer.current)
    roster, _ = desk.taken(roster, force_id, wanted.entry_id)
    told = [(one.message.en, one.message.ru) for one in desk.report(roster, {}).findings]
    assert (english, russian) in told, told
