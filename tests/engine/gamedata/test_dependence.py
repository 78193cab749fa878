"""What a catalogue depends on: its key changes with its own file, with what it reaches, and with what it names."""

import pytest

from armybuilder.engine.battlescribe_files.library import load_library
from armybuilder.engine.gamedata.dependence import Dependence
from armybuilder.engine.gamedata.links import SourceFile
from tests.engine.battlescribe_files.files import SYSTEM, catalogue
from tests.engine.roster.builders import entry, make_library

LINK = '<catalogueLinks><catalogueLink id="to-lib" name="Lib" targetId="lib" type="catalogue"/></catalogueLinks>'
CONDITION = """<selectionEntry id="one" name="One" hidden="false" type="unit"><modifiers>
<modifier type="set" field="hidden" value="true"><conditions><condition type="atLeast" value="1" field="selections"
 scope="force" childId="{child}" shared="true" includeChildSelections="true"/></conditions></modifier></modifiers>
</selectionEntry>"""
CATEGORY = '<categoryEntries><categoryEntry id="{id}" name="Far" hidden="false"/></categoryEntries>'


def named(key: str, text: str, more: str = "") -> SourceFile:
    """A catalogue under another id, with a further part before its end."""
    text = text.replace('id="army"', f'id="{key}"').replace("</catalogue>", f"{more}</catalogue>")
    return SourceFile(f"{key}.cat", text.encode())


TO_SWORD = '<entryLink id="to-sword" name="Sword" hidden="false" targetId="sword" type="selectionEntry"/>'
SWORD = """<selectionEntry id="sword" name="Sword" hidden="false" type="upgrade"><costs>
<cost name="pts" typeId="pts" value="5.0"/></costs>
<entryLinks><entryLink id="to-hilt" name="Hilt" targetId="hilt" type="selectionEntry"/></entryLinks></selectionEntry>"""
HILT = '<selectionEntry id="hilt" name="Hilt" hidden="false" type="upgrade"/>'
SHIELD = '<selectionEntry id="shield" name="Shield" hidden="false" type="upgrade"/>'


TO_ORDERS = '<entryLink id="to-orders" name="Orders" hidden="false" targetId="orders" type="selectionEntry"/>'
ORDERS = """<selectionEntry id="orders" name="Orders" hidden="false" type="upgrade"><rules><rule id="r" name="Orders">
<description>As they stand.</description></rule></rules><costs><cost name="pts" typeId="pts" value="{price}"/></costs>
<entryLinks><entryLink id="to-seal" name="Seal" targetId="seal" type="selectionEntry"/></entryLinks></selectionEntry>"""
SEAL = '<selectionEntry id="seal" name="Seal" hidden="false" type="upgrade"/>'
CHANGING = """<modifiers><modifier type="increment" field="pts" value="1"/></modifiers></selectionEntry>"""


def library_file(text: str, *, revision: int = 3) -> SourceFile:
    return named("lib", catalogue(shared=text).replace('revision="3"', f'revision="{revision}"'))


FIRST = {
    "gst": SourceFile("Game.gst", SYSTEM.encode()),
    "army": named("army", catalogue(entries=CONDITION.format(child="far-category"), links=TO_SWORD), LINK),
    "lib": library_file(SWORD + HILT + SHIELD),
    "other": named("other", catalogue(), CATEGORY.format(id="near-category")),
}


def keys(files: dict[str, SourceFile]) -> dict[str, str]:
    return Dependence(load_library(list(files.values()))).of_catalogues(price="pts")


@pytest.mark.parametrize(
    ("case", "changed", "which"),
    [
        ("nothing", {}, set()),
        ("a catalogue by itself", {"other": named("other", catalogue(shared=""))}, {"other"}),
        ("a remark", {"lib": library_file(SWORD + HILT + SHIELD + "<!-- new -->")}, set()),
        ("a revision", {"lib": library_file(SWORD + HILT + SHIELD, revision=4)}, set()),
        ("an entry that a link leads to", {"lib": library_file(SWORD.replace("Sword", "Axe") + HILT + SHIELD)},
         {"army", "lib"}),
        ("one that a link in it leads to", {"lib": library_file(SWORD + HILT.replace("Hilt", "Grip") + SHIELD)},
         {"army", "lib"}),
        ("an entry beside it that the other does not offer",
         {"lib": library_file(SWORD + HILT + SHIELD.replace("Shield", "Cloak"))}, {"lib"}),
        ("an entry that goes", {"lib": library_file(SWORD + SHIELD)}, {"army", "lib"}),
        ("the game system", {"gst": SourceFile("Game.gst", SYSTEM.replace("Patrol", "Party").encode())},
         {"army", "lib", "other"}),
        ("a file far away that comes to define an id written here",
         {"other": named("other", catalogue(), CATEGORY.format(id="far-category"))}, {"army", "other"}),
        ("a cost type of the whole set", {"other": named(
            "other", catalogue(), '<costTypes><costType id="cp" name="CP" defaultCostLimit="-1"/></costTypes>')},
         {"army", "lib", "other"}),
        ("a file that goes", {"other": None}, {"other"}),
    ],
)  # fmt: skip
def test_keys_change_with_what_is_read(case: str, changed: dict[str, SourceFile | None], which: set[str]) -> None:
    before = keys(FIRST)
    after = keys({name: file for name, file in (FIRST | changed).items() if file is not None})
    assert {key for key in before if before[key] != after.get(key)} == which, case


@pytest.mark.parametrize(
    ("case", "price", "orders", "seal", "is_read"),
    [
        ("a name", "0.0", ORDERS.replace('"Orders"', '"Tasks"'), SEAL, False),
        ("a text", "0.0", ORDERS.replace("As they stand.", "As they come."), SEAL, False),
        ("a name below it", "0", ORDERS, SEAL.replace("Seal", "Stamp"), False),
        ("what it is", "0.0", ORDERS.replace('hidden="false" type', 'hidden="true" type'), SEAL, True),
        ("what is below it", "0.0", ORDERS, SEAL.replace('"false"', '"true"'), True),
        ("a price", "0.0", ORDERS.replace("{price}", "2.0"), SEAL, True),
        ("a price below it", "0.0", ORDERS, SEAL.replace("/>", ">" + CHANGING), True),
        ("a name, where it has a price", "2.0", ORDERS.replace('"Orders"', '"Tasks"'), SEAL, True),
        ("a name, where it is a unit", "0.0", ORDERS.replace('"Orders"', '"Tasks"').replace("upgrade", "unit"),
         SEAL.replace("upgrade", "unit"), True),
    ],
)  # fmt: skip
def test_of_upgrades_that_are_no_units_no_names_are_read(
    case: str, price: str, orders: str, seal: str, *, is_read: bool
) -> None:
    kind = "unit" if "unit" in orders else "upgrade"
    first = (ORDERS.format(price=price).replace("upgrade", kind), SEAL)
    army = {"army": named("army", catalogue(links=TO_ORDERS), LINK)}
    before = keys(FIRST | army | {"lib": library_file("".join(first))})
    after = keys(FIRST | army | {"lib": library_file(orders.replace("{price}", price) + seal)})
    assert (before["army"] != after["army"]) is is_read, case


def test_what_an_id_written_here_names_far_away_is_read_too() -> None:
    far = named("other", catalogue(), CATEGORY.format(id="far-category"))
    renamed = named("other", catalogue(), CATEGORY.format(id="far-category").replace("Far", "Near"))
    assert keys(FIRST | {"other": far})["army"] != keys(FIRST | {"other": renamed})["army"]


def test_a_library_without_files_has_no_keys() -> None:
    assert Dependence(make_library(entry("a"))).of_catalogues(price="pts") == {}
