"""No query of a page or of the queue goes through a whole table that grows with the site, say the databases' plans."""

import re
from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.db import connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from armybuilder.accounts.models import User
from armybuilder.accounts.services import issue_token
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import services
from armybuilder.armylists.models import ArmyList, Revision, ShareLink
from armybuilder.simulations import dispatch, runs
from armybuilder.simulations.services import request_simulation
from bench.players.ballast import fill
from tests.armylists.conftest import Muster
from tests.simulations.conftest import quick

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

GROWING = (
    "armylists_armylist",
    "armylists_revision",
    "armylists_sharelink",
    "armylists_reply",
    "armylists_textlayout",
    "simulations_simulationrun",
    "simulations_computation",
    "simulations_chunk",
    "accounts_user",
    "accounts_apitoken",
    "django_session",
    "events_event",
    "webhooks_webhook",
    "webhooks_delivery",
)
"""Tables with a row for whatever players do."""

READS = re.compile(r"\s*(?:SELECT|UPDATE|DELETE)\b", re.IGNORECASE)


def whole_tables(sql: str) -> Iterator[str]:
    """Growing tables of which a statement reads every row, as the database itself plans it."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
            names = {
                alias or table: table for table, alias in re.findall(r'(?:FROM|JOIN) "?(\w+)"?(?: "?(\w+)"?)?', sql)
            }
            for *_, detail in cursor.fetchall():
                if found := re.match(r"SCAN (\w+)", detail):
                    yield names.get(found[1], found[1])
            return
        cursor.execute("SET LOCAL enable_seqscan = off")  # a small table is read whole unless it cannot be otherwise
        cursor.execute(f"EXPLAIN {sql}")
        for (line,) in cursor.fetchall():
            if found := re.search(r"Seq Scan on (\w+)", line):
                yield found[1]


def statements(context: CaptureQueriesContext) -> set[str]:
    return {query["sql"] for query in context.captured_queries if READS.match(query["sql"])}


@pytest.fixture(autouse=True)
def _values_in_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    """PostgreSQL plans what it is asked with values; those that it keeps have places for them instead."""
    if connection.vendor == "postgresql":
        monkeypatch.setattr(connections[connection.alias], "keeping_cursor", connection.cursor)


@pytest.fixture
def crowd(built: Muster) -> Muster:
    """The owner's list among some hundred of others, with its states, links and runs."""
    fill(120, 360)
    lists = list(ArmyList.objects.exclude(pk=built.list_id))
    ShareLink.objects.bulk_create(ShareLink(army_list=each, token=f"{number:022}") for number, each in enumerate(lists))
    return built


def test_pages_read_by_indexes(crowd: Muster, as_owner: Client, owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "send", lambda computation_id: None)
    run = request_simulation(Viewer(user=owner), quick())
    link = services.publish_share_link(Viewer(user=owner), crowd.list_id)
    token = issue_token(owner, name="mine", scopes=["lists:read", "simulate"]).secret
    program = {"Authorization": f"Bearer {token}"}
    pages = [
        "/",
        "/lists/",
        f"/lists/{crowd.list_id}/",
        f"/lists/{crowd.list_id}/history/",
        f"/lists/{crowd.list_id}/share/",
        f"/lists/{crowd.list_id}/compare/",
        f"/s/{link.token}/",
        "/matchups/",
        f"/matchups/{run.pk}/",
        "/events/",
        "/accounts/",
        "/accounts/tokens/",
    ]
    addresses = [
        "/api/v1/lists/",
        f"/api/v1/lists/{crowd.list_id}/",
        f"/api/v1/lists/{crowd.list_id}/revisions/",
        f"/api/v1/shared/{link.token}/",
        "/api/v1/simulations/",
        f"/api/v1/simulations/{run.pk}/",
    ]
    whole: dict[str, set[str]] = {}
    for address in pages + addresses:
        client = as_owner if address in pages else Client(headers=program)
        with CaptureQueriesContext(connection) as context:
            assert client.get(address).status_code == 200, address
        asked = statements(context)
        assert asked, address
        for sql in asked:
            for table in set(whole_tables(sql)) & set(GROWING):
                whole.setdefault(f"{address}: {table}", set()).add(sql)
    assert not whole


def test_the_queue_reads_by_indexes(crowd: Muster, owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "send", lambda computation_id: None)
    with CaptureQueriesContext(connection) as context:
        request_simulation(Viewer(user=owner), quick())
        assert runs.claim_next(worker=uuid4()) is not None
        runs.expire()
        runs.claim_sending()
        runs.is_idle()
    whole = {(table, sql) for sql in statements(context) for table in whole_tables(sql) if table in GROWING}
    assert not whole


def test_a_whole_table_is_recognised(crowd: Muster) -> None:
    with CaptureQueriesContext(connection) as context:
        # In no order: PostgreSQL may walk through an index instead where that gives it the order, or a join's.
        list(ArmyList.objects.filter(name="no index knows it").order_by())
        list(Revision.objects.filter(label="nor this").order_by())
    assert {table for sql in statements(context) for table in whole_tables(sql)} >= {
        "armylists_armylist",
        "armylists_revision",
    }
