"""`import_gamedata` and `seed`: reports, refusals, and repeating without doubling or losing anything."""

import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils.translation import override

from armybuilder.accounts.errors import NotFound
from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.queries import shared_army_list
from armybuilder.armylists.samples import OWNER, sample_paths, samples
from armybuilder.armylists.services import copy_shared, delete_army_list
from armybuilder.datafiles.models import DataRelease, PublishedSystem
from armybuilder.reference import queries
from armybuilder.reference.models import (
    AllianceLevel,
    BattlefieldRole,
    Faction,
    ForceOrganisation,
    Fortification,
    Slot,
    UnitEntry,
)
from tests.datafiles.data_server import data_server
from tests.gamedata_files import SQUAD, catalogue, release

ROOT = Path(__file__).resolve().parent.parent.parent

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out, no_color=True)
    return out.getvalue()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The invented release as a folder."""
    for file in release():
        (tmp_path / file.name).write_bytes(file.content)
    return tmp_path


def test_publishing_imports_nothing_of_lists_simulations_or_the_administration() -> None:
    """Half of the code: what a second publish of one changed file takes is for the most part its start."""
    program = (
        "import sys, django; django.setup(); import armybuilder.management.commands.import_gamedata; "
        "print([name for name in ('celery', 'armybuilder.armylists.rosters', 'armybuilder.heroes.list_type', "
        "'armybuilder.simulations.dispatch', 'armybuilder.reference.import_admin') if name in sys.modules])"
    )
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "armybuilder.settings"}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_a_folder_is_published_and_reported_catalogue_by_catalogue(folder: Path) -> None:
    assert run("import_gamedata", str(folder), "--system", "invented").splitlines() == [
        "Invented Game, revision 1",
        "  2022 - Red Host (revision 1): 2 units, 6 entries",
        "  Blue Host (revision 1): 1 units, 2 entries",
        "invented 1 is now the current release.",
    ]
    assert queries.system("invented").name == "Invented Game"
    assert run("import_gamedata", str(folder), "--system", "invented").endswith(
        "invented 1 has this very content already.\n"
    )
    assert DataRelease.objects.count() == 1


def test_a_dry_run_stores_nothing(folder: Path) -> None:
    assert "Nothing was published" in run("import_gamedata", str(folder), "--system", "invented", "--dry-run")
    assert not PublishedSystem.objects.exists()


@pytest.mark.parametrize(
    ("case", "change", "words"),
    [
        ("a missing folder", lambda folder: ["/nowhere"], "/nowhere: there is no such file or folder"),
        ("an unknown rule pack", lambda folder: [str(folder), "--rule-pack", "chess"], "no rule pack 'chess'"),
        ("a cut file", lambda folder: [_cut(folder)], r"blue\.cat"),
        ("no game system", lambda folder: [str(folder / "red.cat")], r"\.gst"),
    ],
)
def test_what_cannot_be_published_is_refused_and_nothing_stored(folder: Path, case: str, change, words: str) -> None:
    with pytest.raises(CommandError, match=words):
        run("import_gamedata", *change(folder), "--system", "invented")
    assert not PublishedSystem.objects.exists(), case


def _cut(folder: Path) -> str:
    file = folder / "blue.cat"
    file.write_bytes(file.read_bytes()[:700])
    return str(folder)


def test_unresolved_links_are_reported(folder: Path) -> None:
    link = '<entryLink id="l" name="Lost" targetId="nowhere" type="selectionEntry" hidden="false"/>'
    broken = catalogue("blue", "Blue Host", SQUAD).content.replace(
        b"</selectionEntries>\n</catalogue>", f"</selectionEntries><entryLinks>{link}</entryLinks></catalogue>".encode()
    )
    (folder / "blue.cat").write_bytes(broken)
    report = run("import_gamedata", str(folder), "--system", "invented")
    assert "Blue Host (revision 1): 1 units, 2 entries, DOES NOT LOAD WHOLE, 1 unresolved links" in report
    assert "  blue.cat: " in report and "nowhere" in report


KINDS = (
    PublishedSystem,
    DataRelease,
    Faction,
    UnitEntry,
    BattlefieldRole,
    ForceOrganisation,
    Slot,
    AllianceLevel,
    Fortification,
)


@pytest.mark.long
def test_the_shipped_game_is_complete() -> None:
    assert "published release 1" in run("seed")
    system = queries.system("horus-heresy")
    assert system.rule_pack == "horus-heresy"
    playable = queries.factions("horus-heresy")
    assert playable.count() == 19
    assert playable.filter(legion=True).count() == 18
    solar = playable.get(key="solar-auxilia")
    assert (solar.for_alliances.name, solar.unit_count >= 12) == ("Imperial Army", True)
    assert all(faction.unit_count >= 20 for faction in playable.filter(legion=True))
    matrix = queries.alliance_matrix("horus-heresy")
    assert (len(matrix.factions), len(matrix.levels), matrix.unknown) == (20, 4, 400)
    (chart,) = queries.force_organisations("horus-heresy")
    slots = {
        detachment.type: {slot.role.key: (slot.minimum, slot.maximum) for slot in detachment.slots.all()}
        for detachment in chart.detachments.all()
    }
    assert slots == {
        "primary": {
            "hq": (1, 3),
            "troops": (2, 6),
            "elites": (0, 4),
            "fast_attack": (0, 3),
            "heavy_support": (0, 3),
            "fortification": (0, 1),
            "primarch": (0, 1),
        },
        "allied": {"hq": (1, 1), "troops": (1, 4), "elites": (0, 2), "fast_attack": (0, 1), "heavy_support": (0, 1)},
        "lord_of_war": {"lord_of_war": (1, 1)},
    }
    assert list(queries.fortifications("horus-heresy").values_list("name", "points", "maximum_points")) == [
        ("Defence Line", 35, 60),
        ("Fortified Wall", 55, 165),
        ("Imperial Bunker", 85, 110),
    ]


@pytest.mark.long
def test_every_name_that_ships_has_a_russian_one() -> None:
    run("seed")
    for kind in (Faction, UnitEntry, BattlefieldRole, ForceOrganisation, AllianceLevel, Fortification):
        assert list(kind.objects.filter(name_ru="").values_list("name", flat=True)) == []


@pytest.mark.long
def test_seeding_again_changes_nothing_and_overwrites_no_edit() -> None:
    run("seed")
    Faction.objects.filter(key="mechanicum").update(name_ru="Мехи")
    counts = [kind.objects.count() for kind in KINDS]
    ids = set(UnitEntry.objects.values_list("pk", flat=True))
    assert run("seed") == ""
    assert [kind.objects.count() for kind in KINDS] == counts
    assert set(UnitEntry.objects.values_list("pk", flat=True)) == ids
    assert Faction.objects.get(key="mechanicum").name_ru == "Мехи"


def test_seeding_leaves_alone_what_an_administrator_published(folder: Path) -> None:
    PublishedSystem.objects.create(id="horus-heresy", name="Mine", rule_pack="")
    run("import_gamedata", str(folder), "--system", "horus-heresy")
    run("seed")
    system = queries.system("horus-heresy")
    assert (system.name, system.current_release.name) == ("Mine", "Invented Game")


@pytest.mark.long
def test_the_samples_are_legal_but_for_one_and_each_has_an_open_link() -> None:
    run("seed")
    found = samples("horus-heresy")
    assert [sample.army_list.verdict for sample in found] == ["legal", "legal", "legal", "illegal"]
    assert {sample.army_list.points_limit for sample in found[:3]} == {3000}
    for sample in found:
        assert shared_army_list(sample.link.token) == sample.army_list


@pytest.mark.long
def test_the_samples_speak_russian() -> None:
    run("seed")
    with override("ru"):
        labels = [sample.label for sample in samples()]
    assert len(labels) == len(sample_paths())
    assert not [label for label in labels if label.isascii()]


@pytest.mark.long
def test_samples_are_made_once_even_when_one_was_thrown_away() -> None:
    run("seed")
    gone = samples()[0]
    delete_army_list(Viewer(user=gone.army_list.owner), gone.army_list.pk)
    assert run("seed") == ""
    assert ArmyList.objects.count() == len(sample_paths())
    assert len(samples()) == len(sample_paths()) - 1


@pytest.mark.long
def test_a_guest_copies_a_sample_and_changes_the_copy_only(guest: Viewer) -> None:
    run("seed")
    sample = samples()[0]
    copy = copy_shared(guest, sample.link.token)
    assert (copy.guest_key, copy.points) == (guest.guest_key, sample.army_list.points)
    with pytest.raises(NotFound):
        delete_army_list(guest, sample.army_list.pk)
    sample.army_list.refresh_from_db()
    assert sample.army_list.deleted is None


@pytest.mark.long
def test_nobody_can_sign_in_as_the_owner_of_the_samples() -> None:
    run("seed")
    owner = User.objects.get(username=OWNER)
    assert not owner.is_active and not owner.has_usable_password() and not owner.is_staff


def test_a_repository_index_is_published_from_its_address(settings) -> None:
    settings.DATA_SOURCE_ALLOWED_HOSTS = ["127.0.0.1"]
    rows = "".join(
        f'<dataIndexEntry filePath="{file.name}" dataType="{"gamesystem" if ".gst" in file.name else "catalogue"}"/>'
        for file in release()
        if file.is_game_data
    )
    with data_server() as server:
        server.answers = {f"/{file.name}": file.content for file in release()}
        server.answers["/index.bsi"] = f"<dataIndex><dataIndexEntries>{rows}</dataIndexEntries></dataIndex>".encode()
        said = run("import_gamedata", server.address("/index.bsi"))
        assert said.endswith("invented-game 1 is now the current release.\n")
        assert DataRelease.objects.get().origin == server.address("/index.bsi")
        server.answers["/red.cat"] = server.answers["/red.cat"][:500]
        with pytest.raises(CommandError, match=r"red\.cat"):
            run("import_gamedata", server.address("/index.bsi"))
    assert queries.system("invented-game").current_release.number == 1


def test_several_games_are_published_together_or_not_at_all(folder: Path) -> None:
    other = release()[0].content.replace(b'id="game"', b'id="other"').replace(b"Invented Game", b"Other Game")
    (folder / "other.gst").write_bytes(other)
    with pytest.raises(CommandError, match=r"2 games \(Invented Game, Other Game\)"):
        run("import_gamedata", str(folder), "--system", "invented")
    report = run("import_gamedata", str(folder))
    assert "invented-game 1 is now" in report and "other-game 1 is now" in report
    (folder / "other.gst").write_bytes(other[:900])
    (folder / "red.cat").unlink()
    with pytest.raises(CommandError, match=r"other\.gst"):
        run("import_gamedata", str(folder))
    assert DataRelease.objects.count() == 2


def test_a_game_of_the_community_is_known_by_its_data(folder: Path) -> None:
    for file in folder.iterdir():
        file.write_bytes(file.read_bytes().replace(b'"game"', b'"28d4-bd2e-4858-ece6"'))
    assert "horus-heresy 1 is now" in run("import_gamedata", str(folder))
    assert queries.system("horus-heresy").rule_pack == "horus-heresy"


def test_a_game_whose_usual_id_is_taken_goes_by_its_name(folder: Path) -> None:
    PublishedSystem.objects.create(id="horus-heresy", name="Ours", battlescribe_id="ours", rule_pack="horus-heresy")
    for file in folder.iterdir():
        file.write_bytes(file.read_bytes().replace(b'"game"', b'"28d4-bd2e-4858-ece6"'))
    assert "invented-game 1 is now" in run("import_gamedata", str(folder))
    assert queries.system("invented-game").rule_pack == "horus-heresy"


def test_two_games_of_one_name_are_not_mixed_up(folder: Path) -> None:
    (folder / "other.gst").write_bytes(release()[0].content.replace(b'id="game"', b'id="other"'))
    with pytest.raises(CommandError, match="There is a game invented-game already"):
        run("import_gamedata", str(folder))
    assert not PublishedSystem.objects.exists()
