"""Which units of an army list are worked out again when its data changed: those that read what is new."""

from pathlib import Path

import pytest

from armybuilder.engine.battlescribe_files.library import load_library
from armybuilder.reference.known_rows import Known
from armybuilder.reference.unit_rows import army_lists
from tests.engine.battlescribe_files.files import SYSTEM, army_file, catalogue, system_file

HQ = '<categoryLinks><categoryLink id="{id}-hq" targetId="hq" primary="true"/></categoryLinks>'
UNIT = """<selectionEntry id="{id}" name="{id}" hidden="false" type="unit">{more}
<costs><cost name="pts" typeId="pts" value="5"/></costs></selectionEntry>"""
WITH = """<entryLinks><entryLink id="{id}-gun" name="Gun" hidden="false" targetId="{gun}" type="selectionEntry">
<constraints><constraint id="{id}-least" type="min" value="1" field="selections" scope="parent" shared="true"/>
</constraints></entryLink></entryLinks>"""
GUN = """<selectionEntry id="{id}" name="{id}" hidden="false" type="upgrade">
<costs><cost name="pts" typeId="pts" value="{price}"/></costs></selectionEntry>"""
BANNER = """<selectionEntry id="banner" name="Banner" hidden="{hidden}" type="upgrade" defaultAmount="1">
<categoryLinks><categoryLink id="banner-hq" targetId="{category}" primary="true"/></categoryLinks>
<entryLinks><entryLink id="to-rod" name="Rod" hidden="false" targetId="rod" type="selectionEntry"/></entryLinks>
</selectionEntry>"""


def army(*, gun: str = "1", rod: str = "1", hidden: str = "true", category: str = "far", more: str = "") -> str:
    """Guards with a gun, clerks without, and a banner that leads to a rod and that a force may start with."""
    guards = UNIT.format(id="guards", more=HQ.format(id="guards") + WITH.format(id="guards", gun="gun"))
    clerks = UNIT.format(id="clerks", more=HQ.format(id="clerks"))
    shared = GUN.format(id="gun", price=gun) + GUN.format(id="rod", price=rod)
    return catalogue(guards + clerks + more + BANNER.format(hidden=hidden, category=category), shared)


@pytest.mark.parametrize(
    ("case", "first", "second", "again"),
    [
        ("what a unit has", army(), army(gun="2"), {"guards"}),
        ("what nobody has", army(), army(rod="2"), set()),
        ("another unit", army(), army(more=UNIT.format(id="cooks", more=HQ.format(id="cooks"))), {"cooks"}),
        ("what a force starts with", army(hidden="false", category="hq"),
         army(hidden="false", category="hq", rod="2"), {"guards", "clerks"}),
        ("what a force comes to start with", army(), army(hidden="false", category="hq"), {"guards", "clerks"}),
        ("what belongs into no force", army(hidden="false"), army(hidden="false", rod="2"), set()),
    ],
)  # fmt: skip
def test_units_that_read_what_is_new_are_worked_out_again(
    tmp_path: Path, case: str, first: str, second: str, again: set[str]
) -> None:
    far = '<categoryEntry id="far" name="Far" hidden="false"/></categoryEntries>'
    system = SYSTEM.replace("</categoryEntries>", far)
    before = load_library([system_file(system), army_file(first)])
    known = Known(before, tmp_path, [])
    known.keep(list(army_lists(before, known=known)))
    after = load_library([system_file(system), army_file(second)])
    known = Known(after, tmp_path, [before.content_hash])
    (found,) = army_lists(after, known=known)
    (fresh,) = army_lists(after)
    assert found.units == fresh.units
    assert known.of_catalogue(found.catalogue_id) is None
    new = {unit.name for unit, key in zip(found.units, found.keys, strict=True) if known.of_unit(key) is None}
    assert new == again, case


@pytest.mark.parametrize(
    ("case", "renamed", "again"),
    [
        ("what stands beside the units", {'name="Banner"': 'name="Standard"'}, None),
        ("what that leads to", {'name="rod"': 'name="pole"'}, None),
        ("what a unit has", {'name="gun"': 'name="rifle"'}, {"guards"}),
        ("a unit, which now stands last", {'name="clerks"': 'name="scribes"'}, {"scribes"}),
        ("more than a name", {'name="rod"': 'name="pole"', 'value="1"/></costs>': 'value="2"/></costs>'},
         {"guards", "clerks"}),
    ],
)  # fmt: skip
def test_a_list_whose_units_show_none_of_the_names_that_changed_is_taken_over(
    tmp_path: Path, case: str, renamed: dict[str, str], again: set[str] | None
) -> None:
    first = second = army(hidden="false", category="hq")
    for old, new in renamed.items():
        second = second.replace(old, new)
    before = load_library([system_file(SYSTEM), army_file(first)])
    known = Known(before, tmp_path, [])
    known.keep(list(army_lists(before, known=known)))
    after = load_library([system_file(SYSTEM), army_file(second)])
    known = Known(after, tmp_path, [before.content_hash])
    (found,) = army_lists(after, known=known)
    (fresh,) = army_lists(after)
    assert found.units == fresh.units
    assert (known.of_catalogue(found.catalogue_id) is not None) is (again is None), case
    new = {unit.name for unit, key in zip(found.units, found.keys, strict=True) if known.of_unit(key) is None}
    assert new == (again or set()), case

    known.keep([found])
    third = load_library([system_file(SYSTEM), army_file(second.replace('revision="3"', 'revision="4"'))])
    assert Known(third, tmp_path, [after.content_hash]).of_catalogue(found.catalogue_id) is not None, case
