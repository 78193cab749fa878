"""The shipped lists of all five games go out in every format, and come back from files with the same verdict."""

import re
from collections.abc import Iterator
from itertools import count

import pytest
from django.core.management import call_command
from django.db import transaction
from django.utils import translation
from pytest_django import DjangoDbBlocker

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import services
from armybuilder.armylists.exports import FORMATS, formats_of
from armybuilder.armylists.exports.files import plain_sheet_of, sheet_of
from armybuilder.armylists.imports.files import import_file
from armybuilder.armylists.list_sheet import SheetOption
from armybuilder.armylists.list_types import list_type_of
from armybuilder.armylists.models import ArmyList, DocumentKind
from armybuilder.armylists.samples import samples
from armybuilder.armylists.typed_list import text_of, typed
from armybuilder.engine.findings import Verdict
from armybuilder.engine.systems.game import LIST_RULES
from tests.armylists.texts import WITH_VERDICT

SIGNED = re.compile(rb"/v/[0-9A-Z-]+/")
"""The address of a signed verdict, which every list has its own of."""

UNIT = re.compile(r"^(?![+•\s])[^:\n]+", re.MULTILINE)
"""The name on the line of a unit in a typed list."""

LANGUAGES = ("en", "ru")
"""In one test each: what a test needs, all shipped lists, takes longer to make than to look at."""

pytestmark = [pytest.mark.django_db, pytest.mark.long]


@pytest.fixture(scope="module")
def seeded(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """What is shipped, published once for this file: each test's own changes are taken back within."""
    whole = transaction.atomic()
    with django_db_blocker.unblock():
        whole.__enter__()
        call_command("seed", verbosity=0)
    yield
    with django_db_blocker.unblock():
        transaction.set_rollback(True)
        whole.__exit__(None, None, None)


@pytest.fixture
def shipped(seeded: None, db: None) -> list[ArmyList]:
    """Every sample."""
    lists = [sample.army_list for sample in samples()]
    assert {army_list.system_id for army_list in lists} == set(LIST_RULES)
    return lists


def test_figures_of_the_summary_stay_on_one_line(shipped: list[ArmyList]) -> None:
    """What a share of the army may cost stands with its sign: "(≤ 1 000)" is not torn at the end of a line."""
    for language in LANGUAGES:
        with translation.override(language):
            told = [fact for one in shipped if one.system_id == "fantasy-8th" for fact in sheet_of(one).summary]
        shares = [fact for fact in told if "≤" in fact or "≥" in fact]
        assert shares
        assert [fact for fact in shares if " " in fact] == []


def test_files_lose_nothing(shipped: list[ArmyList], viewer: Viewer) -> None:
    for army_list in shipped:
        before = services.check_army_list(army_list)
        for one in (FORMATS[name] for name in ("json", "ros", "rosz")):
            if one not in formats_of(army_list):
                continue
            file = one.file_of(army_list)
            done = import_file(viewer, file.content, file_name=file.name)
            after = services.check_army_list(done.army_list)
            case = f"{army_list.name} as {one.id}"
            assert done.dropped == (), case
            assert (after.verdict, after.points, after.facts) == (before.verdict, before.points, before.facts), case
            assert sorted(found.rule for found in after.findings) == sorted(found.rule for found in before.findings), (
                case
            )
            assert one.file_of(done.army_list).content == file.content or one.id == "json", case
            assert _told(done.army_list) == _told(army_list), case


def _told(army_list: ArmyList) -> bytes:
    """A text with everything on it but its signature; units of a roster file stand in the order players read."""
    lines = FORMATS["plain"].file_of(army_list).content.splitlines()
    return b"\n".join(sorted(line for line in lines if not SIGNED.search(line)))


def test_texts_name_every_unit_with_the_verdict(shipped: list[ArmyList]) -> None:
    for language in LANGUAGES:
        with translation.override(language):
            for army_list in shipped:
                sheet = sheet_of(army_list)
                assert sheet.units and sheet.game and sheet.factions, army_list.name
                for one in formats_of(army_list):
                    if one.pieces is None or one.id not in WITH_VERDICT:
                        continue
                    text = "\n".join(one.pieces(army_list)).replace("\\", "")
                    where = f"{army_list.name} as {one.id}"
                    assert all(
                        unit.name.replace("[", "(").replace("]", ")") in text.replace("[", "(").replace("]", ")")
                        for unit in sheet.units
                    ), where
                    is_illegal = sheet.verdict is Verdict.ILLEGAL
                    assert (("NOT LEGAL" in text) or ("НЕ СООТВЕТСТВУЕТ" in text)) is is_illegal, where


def test_what_was_not_checked_is_told_in_the_language_of_the_sheet(shipped: list[ArmyList]) -> None:
    with translation.override("ru"):
        told = [line for army_list in shipped for line in sheet_of(army_list).unchecked]
    assert "Уровень союза между фракциями «Космодесант» и «Орки» не указан; его действие не проверяется." in told


def test_magic_items_stay_secret(shipped: list[ArmyList]) -> None:
    hidden = 0
    for army_list in shipped:
        sheet = sheet_of(army_list)
        secret = FORMATS["secret"].file_of(army_list).content.decode()
        items = {item.name for unit in sheet.units for option in unit.options for item in _secrets(option)}
        hidden += len(items)
        assert not [name for name in items if name in secret], army_list.name
        assert "pts" not in secret
        assert not SIGNED.search(secret.encode()), "the page of a code shows the points"
    assert hidden > 3


def _secrets(option: SheetOption) -> Iterator[SheetOption]:
    if option.is_secret:
        yield option
    for inner in option.options:
        yield from _secrets(inner)


def test_typed_as_text_they_stay_what_they_are(shipped: list[ArmyList]) -> None:
    """Left alone, and with every unit typed anew under a name of its own."""
    for language in LANGUAGES:
        with translation.override(language):
            for army_list in shipped:
                if army_list.document_kind != DocumentKind.ROSTER:
                    continue
                text = text_of(army_list)
                left_alone = typed(army_list, text)
                assert (left_alone.lines, left_alone.comparison.is_empty) == ((), True), army_list.name
                assert left_alone.document == list_type_of(army_list).read(army_list.document), army_list.name
                number = count()
                called = re.sub(UNIT, lambda unit, number=number: f"Own {next(number)} ({unit[0]})", text)
                renamed = typed(army_list, called)
                assert renamed.lines == (), army_list.name
                for pair in renamed.comparison.pairs:
                    assert pair.before is not None and pair.after is not None, army_list.name
                    assert [line for line in pair.lines if "Own " not in line] == [], (army_list.name, pair.after.title)
                present = plain_sheet_of(army_list)
                assert (renamed.sheet.points, renamed.sheet.verdict) == (present.points, present.verdict), (
                    army_list.name,
                    renamed.comparison.new,
                )
