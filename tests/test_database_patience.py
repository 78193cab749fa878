"""PostgreSQL that hangs, really stopped, is one that is away: pages and API say 503 and no thread waits for ever."""

import pytest

from tests.servers import KEY, Missing, running_postgres
from tests.test_settings import python

HANGS = """
import json, os, signal
from time import monotonic
from armybuilder import wsgi
from django.db import OperationalError, close_old_connections, connection
from django.test import Client
client = Client(raise_request_exception=False, headers={"Host": "localhost"})

def asked(address):
    began = monotonic()
    close_old_connections()
    answer = client.get(address)
    print(answer.status_code, answer.headers.get("Retry-After"), monotonic() - began < 14)

def pid(query):
    with connection.cursor() as cursor:
        cursor.execute(query)
        return int(cursor.fetchone()[0])

def refused(query):
    began = monotonic()
    try:
        pid(query)
    except OperationalError as error:
        print(str(error).split("\\n")[0], monotonic() - began < 14)
    connection.close()

stopped = []
try:
    refused("SELECT 1 FROM pg_sleep(20)")
    stopped.append(pid("SELECT pg_backend_pid()"))
    os.kill(stopped[0], signal.SIGSTOP)
    refused("SELECT 1")
    asked("/healthz/")
    stopped.append(pid("SELECT split_part(pg_read_file('postmaster.pid'), chr(10), 1)"))
    os.kill(stopped[1], signal.SIGSTOP)
    connection.close()
    asked("/api/v1/systems/")
    asked("/")
finally:
    for process in stopped:
        os.kill(process, signal.SIGCONT)
connection.close()
print(pid("SELECT 7"))
"""


@pytest.mark.services
def test_a_database_that_hangs_holds_no_thread() -> None:
    try:
        with running_postgres() as url:
            said = python(HANGS, DATABASE_URL=url, DATABASE_SECONDS="1", SECRET_KEY=KEY, LOG_LEVEL="CRITICAL")
    except Missing as missing:
        pytest.skip(str(missing))
    assert said.splitlines() == [
        "canceling statement due to statement timeout True",
        "The database does not answer. True",
        "200 None True",
        "503 1 True",
        "503 5 True",
        "7",
    ]


ENDED = """
import os
from armybuilder import wsgi
from django.db import connection
from django.core.signals import request_started

def pid():
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return cursor.fetchone()[0]

first = pid()
asked = []
ask = connection.is_usable.ask
object.__setattr__(connection.is_usable, "ask", lambda: asked.append(True) or ask())
request_started.send(None)
print(pid() == first, len(asked))
import psycopg
with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as other:
    other.execute("SELECT pg_terminate_backend(%s)", [first])
    other.execute("SELECT 1 FROM pg_sleep(0.2)")
request_started.send(None)
print(pid() == first, len(asked))
"""


@pytest.mark.services
def test_a_kept_connection_is_asked_for_nothing_until_the_server_has_ended_it() -> None:
    try:
        with running_postgres() as url:
            said = python(ENDED, DATABASE_URL=url, SECRET_KEY=KEY, LOG_LEVEL="CRITICAL")
    except Missing as missing:
        pytest.skip(str(missing))
    assert said.splitlines() == ["True 0", "False 1"]
