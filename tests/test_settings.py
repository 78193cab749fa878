"""Settings from the environment alone, seen in processes of their own."""

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import KEY

ROOT = Path(__file__).resolve().parent.parent
INHERITED = ("PATH", "HOME", "LANG")


def python(program: str, *, folder: Path = ROOT, **environment: str) -> str:
    """Standard output of a program that runs with these settings and no others."""
    kept = {name: os.environ[name] for name in INHERITED if name in os.environ}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env=kept | {"PYTHONPATH": str(ROOT), "DJANGO_SETTINGS_MODULE": "armybuilder.settings"} | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def settings(*names: str, **environment: str) -> dict[str, object]:
    """Some settings as the environment makes them."""
    wanted = ", ".join(f"{name!r}: settings.{name}" for name in names)
    program = f"import json; from django.conf import settings; print(json.dumps({{{wanted}}}, default=str))"
    answer: dict[str, object] = json.loads(python(program, **environment))
    return answer


def test_nothing_set_means_sqlite_an_embedded_worker_and_loopback(tmp_path: Path) -> None:
    found = settings("DATABASES", "QUEUE", "HOST", "PORT", "DEBUG", "HTTPS", "CACHES", VAR_DIR=str(tmp_path))
    database = found["DATABASES"]["default"]  # type: ignore[index]
    assert database["ENGINE"] == "armybuilder.sqlite"
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert Path(database["NAME"]).parent == tmp_path
    assert (found["QUEUE"], found["HOST"], found["PORT"]) == ("embedded", "127.0.0.1", 8000)
    assert (found["DEBUG"], found["HTTPS"]) == (False, False)
    assert list(tmp_path.iterdir()) == [], "reading the settings writes nothing"


def test_two_variables_choose_postgresql_and_redis(tmp_path: Path) -> None:
    found = settings(
        "DATABASES",
        "QUEUE",
        "CACHES",
        "CELERY_BROKER_URL",
        "SESSION_ENGINE",
        DATABASE_URL="postgres://me:secret@db.example.org:5433/lists",
        REDIS_URL="redis://cache.example.org:6379/3",
    )
    database = found["DATABASES"]["default"]  # type: ignore[index]
    assert database["ENGINE"] == "armybuilder.postgresql"
    assert (database["HOST"], database["PORT"], database["NAME"]) == ("db.example.org", 5433, "lists")
    assert found["QUEUE"] == "redis"
    assert found["CELERY_BROKER_URL"] == "redis://cache.example.org:6379/3"
    assert str(found["SESSION_ENGINE"]).endswith("cached_db")
    program = "from armybuilder.celery import app; print(app.conf.worker_max_memory_per_child)"
    assert python(program, REDIS_URL="redis://cache.example.org", WORKER_MEMORY_KILOBYTES="500000").strip() == "250000"


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("WEB_THREADS", "many", "WEB_THREADS is 'many', and cannot be: invalid literal for int()"),
        ("SECOND_FACTOR_REQUIRED", "ture", "SECOND_FACTOR_REQUIRED is 'ture', and can be 1 or 0."),
        ("PUBLIC_URL", "lists.example.org", "PUBLIC_URL is 'lists.example.org', and can be an address without a path"),
        ("PUBLIC_URL", "https://example.org/army", "PUBLIC_URL is 'https://example.org/army', and can be an address"),
        ("DATABASE_URL", "mysql://a:b@c/d", "DATABASE_URL can be postgres://user:password@host:5432/name"),
        ("REPLICA_DATABASE_URL", "b.example.org", "REPLICA_DATABASE_URL can be postgres://user:password@host"),
        ("EMAIL_URL", "mail.example.org:587", "EMAIL_URL can be smtp+tls://user:password@host:587"),
        ("LOG_FORMAT", "xml", "LOG_FORMAT is 'xml', and can be line or json."),
        ("TIME_ZONE", "Mars/Phobos", "TIME_ZONE is 'Mars/Phobos', and can be UTC"),
        ("LANGUAGE_CODE", "fr", "LANGUAGE_CODE is 'fr', and can be en or ru."),
        ("API_RATE_ANON", "600 per minute", "API_RATE_ANON is '600 per minute', and can be a number for a time"),
    ],
)
@pytest.mark.parametrize("command", ["doctor", "migrate"])
def test_a_value_that_cannot_be_is_named(tmp_path: Path, command: str, name: str, given: str, said: str) -> None:
    """A number was a traceback that did not name it, and a switch with a slip of the pen was off without a word."""
    kept = {known: os.environ[known] for known in INHERITED if known in os.environ}
    done = subprocess.run(
        [sys.executable, "manage.py", command],
        cwd=ROOT,
        env=kept | {"VAR_DIR": str(tmp_path), name: given},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode != 0
    first, remedy = done.stderr.splitlines()
    assert first.startswith("WRONG settings: ") and said in first
    assert "remedy: Change .env" in remedy


def test_an_empty_line_is_the_default(tmp_path: Path) -> None:
    """`DATABASE_URL=`, as it stands in the example, was a KeyError, and `BACKUP_DIR=` the folder a command stood in."""
    empty = dict.fromkeys(
        ("DATABASE_URL", "PUBLIC_URL", "TIME_ZONE", "LANGUAGE_CODE", "LOG_FORMAT", "EMAIL_URL", "BACKUP_DIR"), ""
    )
    found = settings(
        "DATABASES", "BACKUP_DIR", "TIME_ZONE", "LANGUAGE_CODE", "LOG_FORMAT", VAR_DIR=str(tmp_path), **empty
    )
    assert found["DATABASES"]["default"]["NAME"] == str(tmp_path / "armybuilder.sqlite3")  # type: ignore[index]
    assert found["BACKUP_DIR"] == str(tmp_path / "backups")
    assert (found["TIME_ZONE"], found["LANGUAGE_CODE"], found["LOG_FORMAT"]) == ("UTC", "en", "line")


@pytest.mark.parametrize(("given", "is_on"), [("1", True), ("Yes", True), ("off", False), ("0", False), ("", False)])
def test_a_switch_is_on_or_off(tmp_path: Path, given: str, is_on: bool) -> None:
    found = settings("SECOND_FACTOR_REQUIRED", VAR_DIR=str(tmp_path), SECOND_FACTOR_REQUIRED=given)
    assert found == {"SECOND_FACTOR_REQUIRED": is_on}


def test_an_https_address_switches_the_safe_cookies_on() -> None:
    names = ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT", "SECURE_HSTS_SECONDS")
    assert set(settings(*names, PUBLIC_URL="https://lists.example.org").values()) == {True, 31_536_000}
    assert set(settings(*names).values()) == {False}


def test_the_public_address_is_one_the_site_answers_to() -> None:
    found = settings("ALLOWED_HOSTS", PUBLIC_URL="https://lists.example.org:8443", HOST="0.0.0.0")["ALLOWED_HOSTS"]
    assert found == ["localhost", "127.0.0.1", "[::1]", "lists.example.org"]
    assert settings("ALLOWED_HOSTS")["ALLOWED_HOSTS"] == ["localhost", "127.0.0.1", "[::1]"]
    assert settings("ALLOWED_HOSTS", PUBLIC_URL="https://a.example", ALLOWED_HOSTS="b.example")["ALLOWED_HOSTS"] == [
        "b.example"
    ]


@pytest.mark.long
def test_the_documented_settings_pass_the_check_of_deployments(tmp_path: Path) -> None:
    check = """
import django; django.setup()
from django.core.management import call_command
call_command("check", deploy=True, fail_level="WARNING")
"""
    said = python(
        check,
        VAR_DIR=str(tmp_path),
        PUBLIC_URL="https://lists.example.org",
        PROXIES="1",
        HSTS_SUBDOMAINS="on",
        HSTS_PRELOAD="on",
    )
    assert said == "" or "no issues" in said


def test_the_policy_allows_no_inline_script_and_no_frames() -> None:
    directives = settings("CONTENT_SECURITY_POLICY")["CONTENT_SECURITY_POLICY"]["DIRECTIVES"]  # type: ignore[index]
    assert directives["default-src"] == directives["script-src"] == directives["style-src"] == ["'self'"]
    assert directives["frame-ancestors"] == directives["object-src"] == ["'none'"]


@pytest.mark.long
def test_the_secret_key_is_made_once_with_mode_600_and_only_when_it_is_needed(tmp_path: Path) -> None:
    var = tmp_path / "var"
    program = "import django; from django.conf import settings; django.setup(); print(settings.INSTALLED_APPS)"
    python(program, VAR_DIR=str(var))
    assert not var.exists()
    sign = "import django; django.setup(); from django.core import signing; print(signing.dumps('x'))"
    signed = python(sign, VAR_DIR=str(var)).strip()
    key = var / "secret_key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert len(key.read_text()) > 60
    assert [path.name for path in var.iterdir()] == ["secret_key"]
    read = f"import django; django.setup(); from django.core import signing; print(signing.loads({signed!r}))"
    assert python(read, VAR_DIR=str(var)).strip() == "x"
    assert python(sign, VAR_DIR=str(var), SECRET_KEY="another").strip() != signed


@pytest.mark.long
def test_sqlite_is_opened_durably(tmp_path: Path) -> None:
    program = """
import django; django.setup()
from django.db import connection
with connection.cursor() as cursor:
    for pragma in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout"):
        print(cursor.execute(f"PRAGMA {pragma}").fetchone()[0])
"""
    assert python(program, VAR_DIR=str(tmp_path)).split() == ["wal", "2", "1", "20000"]


@pytest.mark.django_db
def test_a_page_carries_the_policy_and_the_other_safe_headers(client) -> None:
    headers = client.get("/admin/login/").headers
    assert "script-src 'self'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


def test_every_variable_is_explained_in_the_example(tmp_path: Path) -> None:
    source = (ROOT / "armybuilder" / "settings.py").read_text()
    read = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', source))
    example = (ROOT / ".env.example").read_text().splitlines()
    explained = {line[1:].split("=")[0] for line in example if re.match(r"#[A-Z_]+=", line)}
    assert read == explained
    for number, line in enumerate(example):
        if re.match(r"#[A-Z_]+=", line):
            assert example[number - 1].startswith("# "), f"{line} has no meaning above it"


@pytest.mark.long
def test_a_cache_that_is_away_is_an_empty_cache() -> None:
    program = """
import django; django.setup()
from django.core.cache import cache
cache.set("a", 1)
print(cache.get("a", "nothing"), cache.add("b", 1), cache.incr("b"), cache.get_many(["a"]), "a" in cache)
print(cache.delete("a"), cache.touch("a"), cache.set_many({"a": 1}), cache.delete_many(["a"]))
"""
    answer = python(program, REDIS_URL="redis://127.0.0.1:9/0", SECRET_KEY=KEY).splitlines()
    assert answer == ["nothing False 1 {} False", "False False ['a'] None"]
