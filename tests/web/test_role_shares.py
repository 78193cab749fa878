"""The bar of points by role."""

from decimal import Decimal

import pytest

from armybuilder.web.pages.role_shares import WHOLE, role_kind, role_shares


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("HQ", "leader"),
        ("Lords", "leader"),
        ("Troops", "core"),
        ("Core", "core"),
        ("Heavy Support", "heavy"),
        ("Rare", "heavy"),
        ("Fast Attack:", "fast"),
        ("Lords of War", "titan"),
        ("Support Formations", "support"),
        ("Aircraft", "fast"),
        ("Dedicated Transport", "support"),
        ("Nonsense", "other"),
    ],
)
def test_what_a_role_is_for(name: str, kind: str) -> None:
    assert role_kind(name) == kind


@pytest.mark.parametrize(
    ("case", "limit", "filled"),
    [("under the limit", 400, 750), ("at the limit", 300, WHOLE), ("over it", 200, WHOLE), ("no limit", None, WHOLE)],
)
def test_segments_stand_side_by_side(case: str, limit: int | None, filled: int) -> None:
    spent = [("HQ", "leader", Decimal(100)), ("Elites", "elite", Decimal(0)), ("Troops", "core", Decimal(200))]
    shares = role_shares(spent, None if limit is None else Decimal(limit))
    assert [share.name for share in shares] == ["HQ", "Troops"], case
    assert shares[0].start == 0
    assert shares[1].start == shares[0].width
    assert sum(share.width for share in shares) == filled
