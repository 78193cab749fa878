"""What load balancers, Prometheus, administrators and operators are told, when all is well and when it is not."""

import json
import logging
import os
import re
import shutil
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.test import Client

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.operations import health, safety
from armybuilder.simulations import dispatch, embedded, services
from armybuilder.simulations.working import work_on_next
from tests.simulations.conftest import quick

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is performed unless a test does it."""
    monkeypatch.setattr(dispatch, "send", lambda computation_id: None)
    monkeypatch.setattr(embedded, "start", lambda: type("Worker", (), {"is_alive": True}))


def test_a_site_that_is_well_is_ready(client: Client) -> None:
    answer = client.get("/readyz/", headers={"Host": "10.0.0.7"})
    assert (answer.status_code, answer.json()["status"]) == (200, "ok")
    assert set(answer.json()["parts"]) == {"database", "queue", "workers", "disk"}


@pytest.mark.parametrize(
    ("part", "break_it"),
    [
        ("disk", lambda m, s: m.setattr(shutil, "disk_usage", lambda path: type("Usage", (), {"free": 10**6}))),
        ("disk", lambda m, s: setattr(s, "VAR_DIR", s.VAR_DIR / "nowhere")),
        ("workers", lambda m, s: m.setattr(embedded, "start", lambda: type("Worker", (), {"is_alive": False}))),
        ("database", lambda m, s: m.setattr(connection, "cursor", _away)),
    ],
)
def test_what_is_not_well_is_named_and_has_a_remedy(
    part: str, break_it: Any, client: Client, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    break_it(monkeypatch, settings)
    answer = client.get("/readyz/")
    assert answer.status_code == 503
    assert {name for name, word in answer.json()["parts"].items() if word == "failing"} == {part}
    assert [(state.name, bool(state.remedy)) for state in health.sick(health.states())] == [(part, True)]
    assert client.get("/healthz/").status_code == 200


def _away(*_: Any) -> Any:
    raise OperationalError("away")


def test_figures_are_for_those_with_the_token(client: Client, settings: Any, owner: User) -> None:
    assert client.get("/metrics").status_code == 404
    settings.METRICS_TOKEN = "only for Prometheus"
    assert client.get("/metrics", headers={"Authorization": "Bearer something"}).status_code == 404
    services.request_simulation(Viewer(user=owner), quick(4))
    client.get("/about/")
    text = client.get("/metrics", headers={"Authorization": "Bearer only for Prometheus"}).content.decode()
    assert "armybuilder_queue_waiting 1.0" in text
    assert 'armybuilder_up{part="database"} 1.0' in text
    assert 'armybuilder_requests_total{method="GET",status="200",view="web:about"}' in text


def test_administrators_see_queue_sizes_and_backups(client: Client, as_administrator: Client, owner: User) -> None:
    services.request_simulation(Viewer(user=owner), quick(4))
    page = as_administrator.get("/admin/state/").content.decode()
    assert "manage.py backup" in page
    assert "/admin/state/" in as_administrator.get("/admin/").content.decode()
    client.force_login(owner)
    assert client.get("/admin/state/").status_code == 302


def test_lines_of_a_computation_name_it_and_requests_have_ids(
    client: Client, owner: User, caplog: pytest.LogCaptureFixture, settings: Any
) -> None:
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    config = settings.LOGGING["formatters"]["json"]
    from pythonjsonlogger.json import JsonFormatter  # noqa: PLC0415 - as the settings name it

    from armybuilder.request_trail import Trail  # noqa: PLC0415

    handler.setFormatter(JsonFormatter(config["fmt"], style="{", rename_fields=config["rename_fields"]))
    handler.addFilter(Trail())
    logger = logging.getLogger("armybuilder.access")
    logger.addHandler(handler)
    level = logger.level
    logger.setLevel(logging.INFO)
    try:
        settings.PROXIES = 1
        answer = client.get("/about/", headers={"X-Request-ID": "from-the-proxy-1"})
        forged = client.get("/about/", headers={"X-Request-ID": "two\\nlines"})
        run = services.request_simulation(Viewer(user=owner), quick(5))
        work_on_next(run.pk)
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert answer.headers["X-Request-ID"] == lines[0]["request_id"] == "from-the-proxy-1"
    assert forged.headers["X-Request-ID"] != "two\\nlines"
    assert lines[-1]["computation_id"] == str(run.computation_id)
    assert str(run.pk) in lines[-2]["message"]


@pytest.mark.parametrize(
    ("unsafe", "words"),
    [
        ({"ALLOWED_HOSTS": ["*"]}, "ALLOWED_HOSTS"),
        ({"DEBUG": True, "HOST": "0.0.0.0"}, "DEBUG"),
        ({"REDIS_URL": "redis://somewhere"}, "SECRET_KEY"),
        ({"PUBLIC_URL": "http://lists.example.org", "HTTPS": True}, "PUBLIC_URL"),
    ],
)
def test_unsafe_settings_are_refused(
    unsafe: dict[str, object], words: str, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    assert list(safety.unsafe_settings()) == []
    for name, value in unsafe.items():
        setattr(settings, name, value)
    (sentence,) = safety.unsafe_settings()
    assert words in sentence
    with pytest.raises(Exception, match=words):
        safety.refuse_unsafe_settings()


def test_an_unsafe_site_does_not_begin_to_serve(settings: Any) -> None:
    """It migrated, called itself ready and printed the way through gunicorn that its worker had come when it ended."""
    settings.ALLOWED_HOSTS = ["*"]
    with pytest.raises(CommandError, match="does not start with these settings:\n- ALLOWED_HOSTS"):
        call_command("serve", prepare=True)


def test_the_doctor_names_what_is_wrong_and_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    told = StringIO()
    with pytest.raises(CommandError, match="are wrong"):
        call_command("doctor", stdout=told)
    lines = told.getvalue()
    assert "WRONG game data: 0 games published\n      remedy: Run `manage.py seed`." in lines
    assert "WRONG backups: none\n      remedy: Run `manage.py backup`" in lines
    assert "ok    database: " in lines
    assert "ok    administrators: none; `manage.py createsuperuser` makes one" in lines


def test_the_doctor_names_folders_it_may_not_enter(settings: Any, tmp_path: Path) -> None:
    """They were a traceback. Root may enter all, and a name this long is refused to him too."""
    settings.BACKUP_DIR = settings.VAR_DIR = tmp_path / ("a" * 300)
    told = StringIO()
    with pytest.raises(CommandError, match="are wrong"):
        call_command("doctor", stdout=told)
    for name in ("key", "backups", "disk"):
        assert re.search(rf"WRONG {name}: .*File name too long.*\n      remedy: ", told.getvalue()), told.getvalue()


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["manage.py", "check", "--deploy"], id="check --deploy"),
        pytest.param(["-m", "celery", "-A", "armybuilder.celery", "worker"], id="worker"),
    ],
)
@pytest.mark.long
def test_every_program_refuses_what_is_unsafe(command: list[str], tmp_path: Path) -> None:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    settings = {"VAR_DIR": str(tmp_path), "ALLOWED_HOSTS": "*", "REDIS_URL": "redis://127.0.0.1:1/0"}
    done = subprocess.run(
        [sys.executable, *command],
        cwd=Path(__file__).resolve().parents[2],
        env=kept | settings | {"PUBLIC_URL": "https://lists.example.org", "PROXIES": "1"},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 1
    assert "ALLOWED_HOSTS=* lets anybody" in done.stderr
    assert "SECRET_KEY is not set" in done.stderr
