"""Lists go out as .ros and .rosz files and come back the same; what the data lacks is named, never just gone."""

from collections.abc import Callable

import msgspec
import pytest
from lxml import etree

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import limits, services
from armybuilder.armylists.documents import read_document, written
from armybuilder.armylists.errors import EditRefused, NotFound, TooLarge
from armybuilder.armylists.exports import FORMATS
from armybuilder.armylists.exports.army_document import ARMY_DOCUMENT
from armybuilder.armylists.imports.battlescribe_roster import import_roster_file
from armybuilder.armylists.imports.files import import_file
from armybuilder.armylists.models import ArmyList, Revision
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.engine.battlescribe_files.ros_xml import read_roster
from armybuilder.engine.battlescribe_files.zipped import UnreadableFile
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.findings import Verdict
from armybuilder.engine.roster.model import Force, Roster, Selection
from tests.armylists.conftest import Muster, fixture_library


@pytest.fixture(autouse=True)
def _known_by_its_data(heresy: PublishedSystem) -> None:
    """Files name the game by the id of its game system."""
    heresy.battlescribe_id = fixture_library().system_id
    heresy.save()


def in_order_of_ids(roster: Roster) -> Roster:
    """A roster whose selections stand in the order of their ids: files have them in the order players read."""

    def of(node: Selection) -> Selection:
        return msgspec.structs.replace(node, selections=tuple(sorted(map(of, node.selections), key=lambda s: s.id)))

    def force(node: Force) -> Force:
        return msgspec.structs.replace(
            node,
            selections=tuple(sorted(map(of, node.selections), key=lambda s: s.id)),
            forces=tuple(sorted(map(force, node.forces), key=lambda f: f.id)),
        )

    return msgspec.structs.replace(roster, forces=tuple(sorted(map(force, roster.forces), key=lambda f: f.id)))


@pytest.mark.parametrize("zipped", [False, True])
def test_a_list_comes_back_the_same(legal: Muster, friend: User, zipped: bool) -> None:
    file = FORMATS["rosz" if zipped else "ros"].file_of(legal.row)
    assert file.name == ("First draft.rosz" if zipped else "First draft.ros")
    assert file.content.startswith(b"PK" if zipped else b"<?xml")
    done = import_roster_file(Viewer(user=friend), file.content, file_name=file.name)
    assert done.dropped == ()
    came_back = read_document(done.army_list.document).roster
    assert in_order_of_ids(came_back) == in_order_of_ids(legal.document.roster)
    assert (done.army_list.points, done.army_list.points_limit) == (legal.row.points, legal.row.points_limit)
    assert done.army_list.owner == friend and legal.row.revision == legal.row.revision
    again = FORMATS["rosz" if zipped else "ros"].file_of(done.army_list)
    assert again.content == file.content


def test_own_names_and_notes_travel(legal: Muster, viewer: Viewer) -> None:
    roster = legal.document.roster
    unit = roster.forces[0].selections[0]
    legal.edit(
        e.Rename(node_id=unit.id, name='Hounds "of" <war> & ruin'), e.SetNotes(node_id=unit.id, notes="one\ntwo\t№")
    )
    file = FORMATS["ros"].file_of(legal.row)
    done = import_roster_file(viewer, file.content, file_name=file.name)
    kept = read_document(done.army_list.document).roster.forces[0].selections[0]
    assert (kept.custom_name, kept.notes) == ('Hounds "of" <war> & ruin', "one\ntwo\t№")


def test_what_the_data_lacks_is_named_in_answer_and_history(legal: Muster, viewer: Viewer) -> None:
    unit = legal.document.roster.forces[0].selections[0]
    content = (
        FORMATS["ros"].file_of(legal.row).content.replace(f'entryId="{unit.entry_id}"'.encode(), b'entryId="gone"')
    )
    done = import_roster_file(viewer, content, file_name="old.ros")
    assert [(one.name, one.entry_id) for one in done.dropped] == [(unit.name, "gone")]
    first = Revision.objects.get(army_list=done.army_list)
    assert unit.name in first.summary_en and "old.ros" in first.summary_en
    assert unit.name in first.summary_ru and "не перенесено" in first.summary_ru
    assert unit.id not in read_document(done.army_list.document).places


@pytest.mark.parametrize(
    ("case", "change", "refusal", "words"),
    [
        ("no XML", lambda data: b"hello", UnreadableFile, r"x\.ros"),
        (
            "cut",
            lambda data: data[: len(data) // 2],
            UnreadableFile,
            r"x\.ros, line \d+: not well-formed XML: (?!.*column)",
        ),
        ("a catalogue", lambda data: b'<catalogue id="a"/>', UnreadableFile, "root element is catalogue"),
        ("no zip", lambda data: b"PK\x03\x04rest", UnreadableFile, "cut off"),
        ("entities", lambda data: b'<!DOCTYPE a [<!ENTITY b "c">]><roster>&b;</roster>', UnreadableFile, r"x\.ros"),
        ("another game", lambda data: data.replace(b"gameSystemId=", b"x="), EditRefused, "none named"),
        ("no detachment", lambda data: data.replace(b"catalogueId=", b"x="), EditRefused, "none of its detachments"),
        ("too large", lambda data: b"<" * (limits.ROSTER_FILE_BYTES + 1), TooLarge, "allowed"),
    ],
)
def test_a_bad_file_is_refused_by_name_and_nothing_stored(
    legal: Muster,
    viewer: Viewer,
    case: str,
    change: Callable[[bytes], bytes],
    refusal: type[Exception],
    words: str,
) -> None:
    data = change(FORMATS["ros"].file_of(legal.row).content)
    before = ArmyList.objects.count()
    with pytest.raises(refusal, match=words):
        import_roster_file(viewer, data, file_name="../../x.ros")
    assert ArmyList.objects.count() == before, case


def test_huge_and_odd_numbers_in_a_file_do_no_harm(legal: Muster, viewer: Viewer) -> None:
    plain = FORMATS["ros"].file_of(legal.row).content
    for odd in (b"NaN", b"-1", b"1e999", b"99999999999999999999", b"", b"x"):
        data = plain.replace(b' number="1"', b' number="' + odd + b'"').replace(b'value="3000.0"', b'value="NaN"')
        try:
            done = import_roster_file(viewer, data, file_name="x.ros")
        except (UnreadableFile, TooLarge):
            continue
        amounts = [node.amount for node in read_document(done.army_list.document).roster.all_selections()]
        assert all(0 <= amount <= 10_000 for amount in amounts), odd
        assert done.army_list.points_limit is None


def test_nobody_without_an_owner_imports(legal: Muster) -> None:
    file = FORMATS["ros"].file_of(legal.row)
    before = ArmyList.objects.count()
    with pytest.raises(NotFound):
        import_roster_file(Viewer(), file.content, file_name=file.name)
    assert ArmyList.objects.count() == before


def test_the_file_holds_what_the_report_says(legal: Muster) -> None:
    text = FORMATS["ros"].file_of(legal.row).content.decode()
    assert f'name="{msgspec.json.decode(legal.row.document)["roster"]["name"]}"' in text
    assert f'gameSystemId="{fixture_library().system_id}"' in text
    assert "<profile " in text and "<categories>" in text


def test_an_army_is_no_hero_file(draft: Muster) -> None:
    with pytest.raises(EditRefused):
        ARMY_DOCUMENT.file_of(draft.row)


@pytest.mark.parametrize("format_id", ["json", "ros", "rosz"])
def test_a_list_comes_back_with_its_facts_and_its_verdict(legal: Muster, friend: User, format_id: str) -> None:
    assert legal.report.verdict is Verdict.LEGAL
    file = FORMATS[format_id].file_of(legal.row)
    done = import_file(Viewer(user=friend), file.content, file_name=file.name)
    back = services.check_army_list(done.army_list)
    assert done.dropped == ()
    assert (back.verdict, back.facts, back.points) == (legal.report.verdict, legal.report.facts, legal.report.points)
    assert [finding.rule for finding in back.findings] == [finding.rule for finding in legal.report.findings]
    assert (done.army_list.name, done.army_list.points_limit) == (legal.row.name, 2000)


def test_the_agreed_points_stand_among_the_cost_limits(legal: Muster) -> None:
    without = msgspec.structs.replace(legal.document.roster, cost_limits={})
    document = msgspec.structs.replace(legal.document, roster=without)
    ArmyList.objects.filter(pk=legal.list_id).update(document=written(document), revision=legal.row.revision + 1)
    root = etree.fromstring(FORMATS["ros"].file_of(legal.row).content)
    limits_written = root.findall("{*}costLimits/{*}costLimit")
    assert [(row.get("name"), row.get("value")) for row in limits_written] == [("Pts", "2000.0")]


def test_other_readers_pass_over_the_facts(legal: Muster) -> None:
    content = FORMATS["ros"].file_of(legal.row).content
    assert content.count(b"<?army-builder ") == 1
    root = etree.fromstring(content)
    assert {etree.QName(child).localname for child in root} == {"costs", "costLimits", "forces"}
    assert read_roster(content, file_name="x.ros").name == "First draft"


def test_facts_of_a_file_that_do_not_fit_are_named(legal: Muster, viewer: Viewer) -> None:
    content = FORMATS["ros"].file_of(legal.row).content
    for change in ((b'"allegiance":"traitor"', b'"allegiance":7'), (b'"allegiance"', b'"loyalty"')):
        done = import_roster_file(viewer, content.replace(*change), file_name="x.ros")
        assert [one.name for one in done.dropped] == [change[1].split(b'"')[1].decode()]
        assert "warlord" in read_document(done.army_list.document).facts


@pytest.mark.parametrize(
    ("case", "change", "refusal", "words"),
    [
        ("cut", lambda text: text[:200], BadDocument, "no JSON"),
        (
            "another format",
            lambda text: text.replace("army-builder-list", "x"),
            EditRefused,
            "format army-builder-list",
        ),
        ("a newer version", lambda text: text.replace('"version": 1', '"version": 2'), EditRefused, "version 2"),
        ("no document", lambda text: text.replace('"document"', '"paper"'), BadDocument, "document"),
        (
            "another game",
            lambda text: text.replace('"game": {', '"game": {"id": "chess"}, "x": {'),
            EditRefused,
            "chess",
        ),
        ("an unknown fact", lambda text: text.replace('"allegiance"', '"loyalty"'), BadDocument, "loyalty"),
        ("a huge number", lambda text: text.replace('"forces"', '"tags": 1e999, "forces"'), BadDocument, "no JSON"),
        ("deep", lambda text: '{"document": ' + "[" * 100_000, BadDocument, "nested too deeply"),
    ],
)
def test_a_bad_list_file_is_refused_and_nothing_stored(
    legal: Muster,
    viewer: Viewer,
    case: str,
    change: Callable[[str], str],
    refusal: type[Exception],
    words: str,
) -> None:
    data = change(FORMATS["json"].file_of(legal.row).content.decode()).encode()
    before = ArmyList.objects.count()
    with pytest.raises(refusal, match=words):
        import_file(viewer, data, file_name="../../x.json")
    assert ArmyList.objects.count() == before, case


@pytest.mark.parametrize("format_id", ["json", "ros"])
def test_more_facts_than_a_list_may_state_are_refused(legal: Muster, viewer: Viewer, format_id: str) -> None:
    trait = b"Bloody-handed"
    data = FORMATS[format_id].file_of(legal.row).content.replace(trait, trait * (limits.FACTS_BYTES // len(trait) + 1))
    before = ArmyList.objects.count()
    with pytest.raises(TooLarge, match="facts"):
        import_file(viewer, data, file_name="x")
    assert ArmyList.objects.count() == before
