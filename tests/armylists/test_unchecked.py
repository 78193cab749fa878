"""The verdict names what it does not cover: a game without rules, an unknown alliance, data nobody understands."""

from collections.abc import Callable
from uuid import uuid4

import pytest

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import services
from armybuilder.datafiles.models import DataRelease, PublishedSystem
from armybuilder.datafiles.parsing import keep_library
from armybuilder.engine.battlescribe_files.library import load_library
from armybuilder.engine.findings import Verdict
from armybuilder.engine.gamedata.links import SourceFile
from armybuilder.reference.models import Alliance
from tests.armylists.conftest import FIXTURES, Muster
from tests.armylists.test_verdicts import allied

pytestmark = pytest.mark.both_databases


def codes(army: Muster) -> list[str]:
    return [part.code for part in army.report.unchecked]


def test_a_game_without_rule_pack_is_judged_by_its_data(legal: Muster, heresy: PublishedSystem) -> None:
    PublishedSystem.objects.filter(pk=heresy.pk).update(rule_pack="")
    report = legal.report
    assert (report.verdict, report.legal, report.rule_pack, codes(legal)) == (
        Verdict.LEGAL, True, None, ["no-rule-pack"],
    )  # fmt: skip
    assert (report.findings, report.army, report.points.total) == ((), None, 320)
    assert (legal.row.verdict, legal.row.unchecked_parts) == ("legal", 1)
    assert legal.row.judged_by_data
    legal.edit(e.SetPointsLimit(points_limit=300))
    assert [(f.rule, f.origin) for f in legal.report.findings] == [("BS-04", "data")]
    assert (legal.report.legal, legal.row.verdict) == (False, "illegal")


def test_an_unknown_alliance_is_named_until_somebody_fills_it_in(legal: Muster) -> None:
    allied(None)(legal)
    (part,) = legal.report.unchecked
    assert (part.code, part.node_id) == ("alliance", legal.document.roster.forces[1].id)
    assert "Iron Warriors" in part.text.en
    assert (legal.row.verdict, legal.row.unchecked_parts) == ("legal", 1)


def test_a_filled_cell_changes_the_verdict_of_lists_that_are_there(legal: Muster) -> None:
    allied("distrusted_allies")(legal)
    assert codes(legal) == []
    assert "HH-24" in legal.rules()
    revision = legal.row.revision
    Alliance.objects.all().delete()
    assert codes(legal) == ["alliance"]
    assert "HH-24" not in legal.rules()
    assert (legal.row.unchecked_parts, legal.row.revision) == (1, revision)


def test_data_that_nobody_understands_is_named(viewer: Viewer, muster: Callable[..., Muster]) -> None:
    system = FIXTURES / "horus-heresy.gst"
    broken = system.read_bytes().replace(b"</publications>", b"</publications><spells><spell/></spells>", 1)
    files = [SourceFile(path.name, path.read_bytes()) for path in sorted(FIXTURES.glob("*.cat"))]
    library = load_library([SourceFile(system.name, broken), *files])
    assert {problem.kind for problem in library.problems} == {"unknown-element"}
    release = DataRelease.objects.create(id=uuid4(), system_id="horus-heresy", number=2, content_hash="b" * 64)
    keep_library(release.pk, library)
    PublishedSystem.objects.update(current_release=release)
    army = Muster(
        viewer,
        services.create_army_list(
            viewer, system_id="horus-heresy", name="x", catalogue_id="hh-solar-auxilia", points_limit=2000
        ),
    )
    assert codes(army) == ["construct"]
    assert "horus-heresy.gst" in army.report.unchecked[0].text.ru
