"""A prepared query answers as the queryset it was made of, related rows included."""

import os
import subprocess
import sys
import threading

import pytest
from django.db import DatabaseError, connections, transaction

from armybuilder.accounts.errors import TokenRefused
from armybuilder.accounts.models import ApiToken, User
from armybuilder.accounts.scopes import READING, WRITING
from armybuilder.accounts.services import accept_token, issue_token, revoke_token
from armybuilder.accounts.viewers import Viewer
from armybuilder.compiled_queries import CompiledInsert, CompiledQuery, CompiledRows
from armybuilder.simulations.models import Computation
from tests.servers import copied_database


def test_it_answers_as_the_orm_does(owner: User, friend: User, django_assert_num_queries: object) -> None:
    prepared = CompiledQuery(ApiToken.objects.select_related("user"), "digest")
    issue_token(friend, name="another", scopes=READING)
    token = issue_token(owner, name="a tool", scopes=WRITING).token
    for _ in range(2):  # compiled, and prepared
        with django_assert_num_queries(1):  # type: ignore[operator]
            found = prepared.one(token.digest)
            assert found is not None
            assert found.user.username == "owner"
        expected = ApiToken.objects.get(digest=token.digest)
        for field in ApiToken._meta.concrete_fields:
            assert getattr(found, field.attname) == getattr(expected, field.attname), field.name
        for field in User._meta.concrete_fields:
            assert getattr(found.user, field.attname) == getattr(owner, field.attname), field.name
    assert prepared.one("no such digest") is None


def test_what_is_left_out_comes_when_it_is_touched(owner: User, django_assert_num_queries: object) -> None:
    issued = issue_token(owner, name="a tool", scopes=READING)
    accept_token(issued.secret)
    for _ in range(2):  # by Django's cursor, which counts, and by the database's own
        with django_assert_num_queries(1):  # type: ignore[operator]
            token = accept_token(issued.secret)
            assert (token.granted, token.list_id, token.user.username) == (READING, None, owner.username)
            assert token.user.is_active
            assert not (token.user.is_staff or token.user.is_superuser)
        assert (token.name, token.user.email, token.user.date_joined) == ("a tool", owner.email, owner.date_joined)
        token = accept_token(issued.secret)
        assert (token, token.user, token.name) == (issued.token, owner, "a tool")


def test_a_revoked_token_and_a_closed_account_are_seen_at_once(owner: User) -> None:
    issued, other = (issue_token(owner, name="a tool", scopes=READING) for _ in range(2))
    assert accept_token(issued.secret) == issued.token
    revoke_token(Viewer(user=owner), issued.token.pk)
    with pytest.raises(TokenRefused):
        accept_token(issued.secret)
    assert accept_token(other.secret) == other.token
    User.objects.filter(pk=owner.pk).update(is_active=False)
    with pytest.raises(TokenRefused):
        accept_token(other.secret)


@pytest.mark.both_databases
def test_errors_of_the_database_are_djangos(db: None) -> None:
    connection = connections["default"]
    with pytest.raises(DatabaseError), transaction.atomic(), connection.keeping_cursor() as cursor:  # type: ignore[attr-defined]
        cursor.execute("SELECT nothing FROM nowhere", [])
    with connection.keeping_cursor() as cursor:  # type: ignore[attr-defined]
        cursor.execute("SELECT 1 + %s", [1])
        assert cursor.fetchone() == (2,)


def test_several_columns_and_a_filter_without_values(owner: User, friend: User) -> None:
    prepared = CompiledQuery(ApiToken.objects.filter(revoked_at__isnull=True), "id", "user")
    token = issue_token(owner, name="a tool", scopes=WRITING).token
    assert prepared.one(token.pk, owner.pk) == token
    assert prepared.one(token.pk, friend.pk) is None
    ApiToken.objects.update(revoked_at=token.created_at)
    assert prepared.one(token.pk, owner.pk) is None


def test_a_filter_with_a_value_of_its_own_is_refused(owner: User) -> None:
    with pytest.raises(ValueError, match="no others"):
        CompiledQuery(ApiToken.objects.filter(name="x"), "digest").one("x")


def test_all_rows_of_a_table_come_as_the_orm_gives_them(
    owner: User, friend: User, django_assert_num_queries: object
) -> None:
    named = ApiToken.objects.filter(revoked_at__isnull=True).values_list("name", "user__username").order_by("name")
    prepared = CompiledRows(named, "user")
    for name in ("first", "second"):
        issue_token(owner, name=name, scopes=READING)
    for _ in range(2):
        with django_assert_num_queries(1):  # type: ignore[operator]
            found = prepared.all(owner.pk)
        assert found == list(named.filter(user=owner)) == [("first", "owner"), ("second", "owner")]
    assert prepared.all(friend.pk) == []
    with pytest.raises(ValueError, match="no others"):
        CompiledRows(named.filter(name="x"), "user").all(owner.pk)


@pytest.mark.django_db(transaction=True)
def test_threads_do_not_share_what_is_compiled(owner: User) -> None:
    prepared = CompiledQuery(ApiToken.objects.all(), "id")
    token = issue_token(owner, name="a tool", scopes=WRITING).token
    found: list[ApiToken | None] = []

    def ask() -> None:
        found.append(prepared.one(token.pk))
        connections.close_all()

    for _ in range(2):
        thread = threading.Thread(target=ask)
        thread.start()
        thread.join()
    assert found == [token, token]


@pytest.mark.services
def test_postgresql_answers_the_same(migrated_postgres: str) -> None:
    """The columns of that database need other conversions; asked in a process of its own."""

    script = (
        "import django; django.setup()\n"
        "from armybuilder.accounts.models import User\n"
        "from armybuilder.accounts.services import accept_token, issue_token\n"
        "user = User.objects.create_user('owner')\n"
        "issued = issue_token(user, name='a tool', scopes=['lists:read'])\n"
        "token = accept_token(issued.secret)\n"
        "assert (token, token.user, token.user.date_joined) == (issued.token, user, user.date_joined)\n"
    )
    url = copied_database(migrated_postgres)
    environment = {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "armybuilder.settings", "REDIS_URL": ""}
    subprocess.run([sys.executable, "-c", script], env=os.environ | environment, check=True, timeout=120)


KEPT = """
import django; django.setup()
from django.db import connection
from armybuilder.accounts.models import User
from armybuilder.accounts.services import accept_token, issue_token
secret = issue_token(User.objects.create_user("owner"), name="a tool", scopes=["lists:read"]).secret

def kept():
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%digest%'")
        return cursor.fetchone()[0]

for _ in range(5):
    accept_token(secret)
before = kept()
import os, psycopg
with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as migration:
    migration.execute("ALTER TABLE accounts_user ALTER COLUMN first_name TYPE varchar(400)")
print(before, [accept_token(secret).user.username for _ in range(5)], kept())
"""


@pytest.mark.services
@pytest.mark.parametrize(("pgbouncer", "kept"), [("off", 1), ("on", 0)])
def test_postgresql_keeps_what_it_is_asked_often(migrated_postgres: str, pgbouncer: str, kept: int) -> None:
    """A migration beside a running site changes the columns of what is kept: asked anew, nobody is sent away."""
    environment = {
        "DATABASE_URL": copied_database(migrated_postgres),
        "DJANGO_SETTINGS_MODULE": "armybuilder.settings",
        "REDIS_URL": "",
        "PGBOUNCER": pgbouncer,
    }
    done = subprocess.run(
        [sys.executable, "-c", KEPT],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.stdout.split("\n")[-2] == f"{kept} {['owner'] * 5} {kept}", done.stderr


@pytest.mark.both_databases
def test_a_prepared_insert_stores_what_the_orm_would(owner: User, django_assert_num_queries: object) -> None:
    prepared = CompiledInsert(Computation)
    for text in ("first", "second"):
        with django_assert_num_queries(1):  # type: ignore[operator]
            stored = prepared.store(
                Computation(request_hash=text, model_version="1", kind="pair", request="{}", seed=1, chunk_count=1)
            )
        found = Computation.objects.get(pk=stored.pk)
        for field in Computation._meta.concrete_fields:
            assert getattr(found, field.attname) == getattr(stored, field.attname), field.name
        assert not stored._state.adding
