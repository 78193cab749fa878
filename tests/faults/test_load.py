"""A simulated player finds nothing that fails, and every endpoint he uses is told of."""

from pathlib import Path

import pytest

from bench.players.__main__ import play, running, table
from tests.faults.installation import Filled

ENDPOINTS = {
    "API: check",
    "API: edit",
    "API: export, json",
    "API: export, plain",
    "API: new list",
    "API: share",
    "API: simulate and wait",
    "API: units",
    "Aggregated",
    "page: builder",
    "page: home",
    "page: my lists",
    "page: shared list",
    "page: sign in",
    "page: sign in, sent",
    "page: units",
}


@pytest.mark.long
def test_a_player_does_everything_once_and_nothing_fails(filled: Filled, tmp_path: Path) -> None:
    with running("sqlite", filled, tmp_path, processes=1) as site:
        played = play(site, players=1, seconds=120, ballast=(30, 90), walks=True)
        assert site.rows("select count(*) from armylists_armylist where name like 'Ballast%'") == [(30,)]
    assert {row.endpoint for row in played.rows} == ENDPOINTS, table("sqlite", 1, played)
    assert played.rows[-1].failures == 0, table("sqlite", 1, played)
