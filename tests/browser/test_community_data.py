"""Armies of 1,500 points built by hand from the community's own data, saved for BattleScribe and opened again."""

import re
import shlex
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

import pytest
from lxml import etree
from playwright.sync_api import Browser, Page, expect

from tests.breadth import share
from tests.browser.builder_page import BuilderPage
from tests.browser.conftest import PHONE, Visitors, running_site, shot
from tests.browser.hands import rows_unlike_two_lines
from tests.browser.tapping import MOST_TAPS, Thumb
from tests.browser.test_paper import lost_on_paper
from tests.databases import lay_out_migrated

pytestmark = pytest.mark.shared

SIZE = 1500
DATA = {
    # Folder or archive of the set: the files to import, with what the army lists link to.
    "horus-heresy-2023-10-07": (
        "2022 - Horus Heresy*",
        "2022 - Legiones Astartes*",
        "2022 - LA - Sons of Horus*",
        "2022 - LI - Assassins*",
        "2022 - Mech Library*",
        "2022 - Daemons - Bound*",
    ),
    "modern/age-of-sigmar-4th.zip": (
        "Age of Sigmar*",
        "Stormcast Eternals.cat",
        "Stormcast Eternals - Library*",
        "Lores*",
        "*Path to Glory*",
    ),
    "whfb": ("Warhammer Fantasy 8th ed*", "Empire - 8thBRB_8thAB*", "Chaos Dwarfs*"),
    "wh40k-epic-armageddon": ("Epic*", "Space Marines - EA*", "Orks - Ghazghkull*", "Chaos - Black Legion*"),
    "wh40k-6th-1.14b": ("Warhammer*", "Space Marines*", "Imperial Knights*", "Orks*"),
}


class Unit(NamedTuple):
    """A unit to take, and how many of its first options."""

    role: str
    name: str
    options: int = 0


ARMIES = [
    (
        "horus-heresy",
        "Sons of Horus",
        [
            Unit("HQ", "Praetor", 2), Unit("Troops", "Tactical Squad", 2), Unit("Troops", "Despoiler Squad", 1),
            Unit("Elites", "Justaerin Terminator Squad", 2), Unit("Heavy Support", "Kratos Squadron", 1),
            Unit("Heavy Support", "Land Raider Spartan", 1), Unit("Fast Attack", "Storm Eagle Gunship", 1),
            Unit("Fast Attack", "Xiphon Interceptor"),
        ],
    ),
    (
        "fantasy-8th",
        "Empire",
        [
            Unit("Lords", "General of the Empire", 3), Unit("Heroes", "Warrior Priest", 2),
            Unit("Core", "Halberdiers", 2), Unit("Core", "Knightly Orders", 2), Unit("Core", "Handgunners", 2),
            Unit("Special", "Demigryph Knights", 2),
            Unit("Special", "Great Cannon"), Unit("Rare", "Steam Tank"), Unit("Rare", "Luminark of Hysh", 1),
            Unit("Special", "Reiksguard Knights", 1), Unit("Core", "Swordsmen", 1), Unit("Special", "Greatswords", 1),
            Unit("Rare", "Helblaster Volley Gun"),
        ],
    ),
    (
        "epic",
        "Space Marines: Codex Astartes",
        [
            Unit("Formations", "Tactical", 2), Unit("Formations", "Assault", 1), Unit("Formations", "Devastator", 2),
            Unit("Formations", "Terminators", 1), Unit("Formations", "Thunderhawk"), Unit("Formations", "Predators", 1),
            Unit("One Third - 33%", "Warhound Titan Battlegroup"),
        ],
    ),
    (
        "wh40k-6th",
        "Space Marines",
        [
            Unit("HQ", "Captain", 3), Unit("Troops", "Tactical Squad", 3), Unit("Troops", "Scout Squad", 2),
            Unit("Elites", "Terminator Squad", 2), Unit("Elites", "Dreadnought", 1),
            Unit("Heavy Support", "Land Raider", 2), Unit("Heavy Support", "Predator", 1),
            Unit("Fast Attack", "Stormtalon Gunship", 1), Unit("Heavy Support", "Centurion Devastator Squad", 1),
            Unit("Elites", "Sternguard Veteran Squad", 1),
        ],
    ),
]  # fmt: skip


def unpacked(archive: Path, folder: Path) -> Path:
    """The folder, with what is in the archive."""
    with ZipFile(archive) as packed:
        packed.extractall(folder)
    return folder


@pytest.fixture(scope="module")
def community_site(
    shared: Path, tmp_path_factory: pytest.TempPathFactory, chromium: str, migrated_databases: Path
) -> Iterator[str]:
    """A site with nothing but the community's data, imported by the command."""
    files: list[str] = []
    for name, patterns in DATA.items():
        folder = shared / "battlescribe" / "data" / name
        if folder.suffix == ".zip":
            folder = unpacked(folder, tmp_path_factory.mktemp("archive"))
        found = [str(path) for pattern in patterns for path in sorted(folder.glob(pattern))]
        assert len(found) >= len(patterns), name
        files += found
    imported = f"import_gamedata {shlex.join(files)}"
    folder = tmp_path_factory.mktemp("community")
    lay_out_migrated(folder, migrated_databases)
    with running_site(folder, imported, "serve") as address:
        yield address


@pytest.fixture
def players(browser: Browser, community_site: str) -> Iterator[Visitors]:
    """People on that site; scripts and the content policy must be silent."""
    players = Visitors(browser, community_site)
    yield players
    players.leave()


def take_options(builder: BuilderPage, count: int) -> int:
    """Take the first options that are not taken yet, each once, by clicking; how many there were to take."""
    taken: set[str] = set()
    for _ in range(count):
        free = builder.detail.locator(".pick[aria-checked=false]:visible, [data-step='1']:visible")
        keys = [key for key in free.evaluate_all("nodes => nodes.map(node => node.id)") if key not in taken]
        if not keys:
            break
        taken.add(keys[0])
        control = builder.page.locator(f'[id="{keys[0]}"]')
        before = builder.revision
        control.click()
        expect(builder.page.locator(f'#detail input[name=revision]:not([value="{before}"])').first).to_be_attached()
    return len(taken)


def saved(page: Page) -> bytes:
    """The list as a player saves it for BattleScribe."""
    page.locator("#army-bar details.menu summary").click()
    page.get_by_role("link", name="Text and files").click()
    with page.expect_download() as waiting:
        page.locator("a[href='rosz/']").click()
    return waiting.value.path().read_bytes()


def contents(roster_file: bytes) -> list[object]:
    """What a roster file holds: every selection with its name, entry, number and costs, as nested rows."""
    with ZipFile(BytesIO(roster_file)) as archive:
        (member,) = archive.namelist()
        root = etree.fromstring(archive.read(member))

    def row(node: etree._Element) -> object:
        kept = {
            key: value for key, value in node.attrib.items() if key in {"name", "entryId", "number", "value", "typeId"}
        }
        below = [row(child) for part in node if _bare(part) in _KEPT for child in part]
        return (_bare(node), kept, below)

    return [row(child) for part in root if _bare(part) in _KEPT for child in part]


_KEPT = {"forces", "selections", "costs", "categories", "profiles", "rules"}


def _bare(node: etree._Element) -> str:
    return str(node.tag).rsplit("}", 1)[-1]


@pytest.mark.parametrize(("game", "faction", "army"), ARMIES, ids=[game for game, _, _ in ARMIES])
def test_a_list_just_begun_is_started_although_its_data_brings_settings_along(
    players: Visitors, game: str, faction: str, army: list[Unit]
) -> None:
    """Settings of the army stand on the roll before any unit does; what is said of whom is said in one place."""
    page = players.arrive(size=PHONE, touch=True)
    builder = BuilderPage(page)
    builder.start(faction, SIZE, allegiance=None, game=game)
    expect(builder.verdict).to_contain_text("Started")
    expect(page.locator(".verdict--illegal")).to_have_count(0)
    heads = page.locator("#findings .findings__name").all_text_contents()
    assert len(heads) == len(set(heads)), heads
    assert page.locator(".detachment__head h2").evaluate("head => head.getBoundingClientRect().width") >= 140
    facts = page.locator(".detachment__head p").first
    assert facts.evaluate("it => it.getBoundingClientRect().width / it.parentElement.parentElement.clientWidth") >= 0.8
    page.locator(".dock [data-key=add]").tap()
    expect(page.locator("#detail .offers").first).to_be_visible()
    assert page.locator("#detail .offers h3").first.text_content() != "Army rules"
    page.goto(f"{builder.address}?pane=own")
    offered = page.locator("#detail select option").all_text_contents()
    assert offered and "Army rules" not in offered


@pytest.mark.parametrize(("game", "faction", "army"), ARMIES, ids=[game for game, _, _ in ARMIES])
def test_units_to_add_take_two_lines_each_on_a_phone(
    players: Visitors, game: str, faction: str, army: list[Unit]
) -> None:
    """In Russian, whose words are the longer ones."""
    page = players.arrive(size=PHONE, touch=True, language="ru")
    page.goto(f"/lists/new/?system={game}")
    known = page.locator("#id_faction option", has_text=faction).or_(page.locator("#id_faction option").last)
    page.locator("#id_faction").select_option(label=known.first.inner_text())
    page.locator("main form .button--main").last.tap()
    expect(page.locator("#army-bar")).to_be_visible()
    assert rows_unlike_two_lines(page) == []


@pytest.mark.parametrize(
    ("game", "faction", "army"), share(ARMIES, of=3), ids=lambda it: it if isinstance(it, str) else ""
)
def test_a_real_army_is_built_saved_and_opened_again(
    players: Visitors, tmp_path: Path, game: str, faction: str, army: list[Unit]
) -> None:
    page = players.arrive()
    builder = BuilderPage(page)
    builder.start(faction, SIZE + 500, allegiance=None, name=f"{faction} by hand", game=game)
    options = 0
    for unit in army:
        builder.add(unit.role, unit.name)
        options += take_options(builder, unit.options)
    assert options >= len(army) // 2, "hardly anything to choose"
    points = builder.points.get_attribute("value")
    assert points is not None and float(points) >= SIZE, points
    shot(page, f"community-{game}", whole=True)
    names = page.locator(".unit__name").all_inner_texts()
    assert len(names) >= len(army)

    address = builder.address
    assert lost_on_paper(page, builder) == []
    page.goto(address)
    file = saved(page)
    path = tmp_path / f"{game}.rosz"
    path.write_bytes(file)
    page.goto("/lists/open/")
    page.locator("input[type=file]").set_input_files(path)
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.locator("#army")).to_be_visible()
    assert page.locator(".unit__name").all_inner_texts() == names
    expect(builder.points).to_have_attribute("value", points)
    shot(page, f"community-{game}-again", whole=True)
    again = contents(saved(page))
    assert again == contents(file)
    assert len(re.findall("'selection'", repr(again))) > len(army), "units without anything in them"


@pytest.mark.parametrize(
    ("game", "faction"),
    share(
        [*((game, faction) for game, faction, _ in ARMIES), ("wh40k-6th", "Orks"), ("epic", "Chaos: Black Legion")],
        of=5,
    ),
)
def test_ten_units_legal_and_shared_in_twenty_taps(players: Visitors, game: str, faction: str) -> None:
    thumb = Thumb(players.arrive(size=PHONE, touch=True))
    thumb.begin(game, "#id_faction", faction)
    thumb.add_units()
    thumb.make_legal()
    thumb.share()
    assert thumb.taps <= MOST_TAPS


def test_a_regiment_is_raised_led_and_filled(players: Visitors) -> None:
    """Units of an army that is made of regiments stand in these, and start as the data says, without an error."""
    page = players.arrive()
    page.goto("/lists/new/?system=age-of-sigmar-40")
    page.locator("#id_faction").select_option(label="Stormcast Eternals")
    page.locator("#id_points_limit").fill("2000")
    page.get_by_role("button", name="Start building").click()
    army = page.locator("#army")
    expect(army.get_by_role("heading", level=2)).to_have_text([re.compile("General's Handbook 2026-27")])
    army.get_by_role("button", name="Regiment", exact=True).click()
    expect(army.get_by_role("heading", level=2)).to_have_text([re.compile("Handbook"), "Regiment"])
    expect(page.locator("#offers h3").first).to_have_text("Regimental Leader")  # what it may hold is offered at once
    for name, price in (("Lord-Celestant", "100"), ("Liberators", "190"), ("Vindictors", "280")):
        page.locator("#offer-search").fill(name)
        offer = page.locator(".offer").filter(has=page.get_by_text(name, exact=True))
        expect(page.locator(".offer__name").first).to_have_text(name)
        offer.locator(".offer__add").click()
        expect(page.locator("#army-bar")).to_contain_text(f"{price} / 2,000")
    findings = page.locator("#findings article")
    expect(findings).to_have_count(1)
    expect(findings).to_contain_text("General")


def test_the_key_plus_adds_a_model_wherever_its_counter_stands(players: Visitors) -> None:
    """An upgrade that can be taken several times stands above the models of this unit."""
    page = players.arrive()
    builder = BuilderPage(page)
    builder.start("Orks", SIZE, allegiance=None, game="wh40k-6th")
    builder.add("Elites", "Burna Boyz")
    models = builder.detail.get_by_role("spinbutton", name="Burna Boy: how many")
    assert builder.detail.get_by_role("spinbutton").first.input_value() == "0"
    count = int(models.input_value())
    page.locator("#army .unit--open .unit__open").press("+")
    expect(models).to_have_value(str(count + 1))
