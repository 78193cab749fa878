"""What a process remembers of lists is bounded by what they take, not by how many they are."""

import gc
import tracemalloc
from uuid import uuid4

import pytest

from armybuilder.armylists import report_cache
from armybuilder.armylists.models import ArmyList
from armybuilder.shelf import Shelf
from tests.armylists.conftest import Muster


@pytest.fixture
def row(legal: Muster, monkeypatch: pytest.MonkeyPatch) -> ArmyList:
    monkeypatch.setattr(report_cache, "_known", Shelf(report_cache.KEPT_BYTES))
    return legal.row


def judged_anew(row: ArmyList) -> ArmyList:
    """Another list of the same document, judged."""
    row = ArmyList.objects.select_related("system").get(pk=row.pk)
    row.pk = uuid4()
    report_cache.judged(row)
    return row


@pytest.mark.long
def test_a_list_is_counted_for_about_what_it_takes(row: ArmyList) -> None:
    judged_anew(row)
    counted = report_cache._known.bytes
    gc.collect()
    tracemalloc.start()
    try:
        for _ in range(10):
            judged_anew(row)
        gc.collect()
        takes = tracemalloc.get_traced_memory()[0] / 10
    finally:
        tracemalloc.stop()
    assert report_cache._known.bytes == 11 * counted
    assert takes / 2 < counted < 4 * takes


def test_long_lists_put_others_out_sooner(row: ArmyList, monkeypatch: pytest.MonkeyPatch) -> None:
    judged_anew(row)
    one = report_cache._known.bytes
    monkeypatch.setattr(report_cache, "_known", Shelf(3 * one))
    first, second, third = (judged_anew(row) for _ in range(3))
    assert report_cache._known.get(first.pk)
    judged_anew(row)
    assert [one.pk for one in (first, second, third) if report_cache._known.get(one.pk)] == [first.pk, third.pk]
    long = ArmyList.objects.select_related("system").get(pk=row.pk)
    long.pk, long.document = uuid4(), long.document + " " * (one // report_cache.BYTES_OF_A_BYTE)
    report_cache.judged(long)
    assert [bool(report_cache._known.get(one.pk)) for one in (first, third, long)] == [False, True, True]
    assert report_cache._known.bytes <= 3 * one


def test_a_list_that_is_put_out_is_judged_the_same(legal: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    before = legal.report
    monkeypatch.setattr(report_cache, "_known", Shelf(1))
    report, _ = report_cache.judged(legal.row)
    assert (report.verdict, report.points, report.findings) == (before.verdict, before.points, before.findings)
    assert report_cache._known.bytes == 0
