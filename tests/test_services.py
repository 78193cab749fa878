"""The tests marked `both_databases` pass on PostgreSQL with Redis too, chosen by environment variables alone."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from tests.breadth import is_whole, share
from tests.servers import KEY, copied_database

ROOT = Path(__file__).resolve().parent.parent
MARK = "both_databases"


@pytest.mark.services
def test_the_marked_tests_pass_on_postgresql_and_redis(migrated_postgres: str, redis_url: str) -> None:
    marked = [str(path) for path in (ROOT / "tests").rglob("test_*.py") if MARK in path.read_text(encoding="utf-8")]
    files = share(sorted(marked), of=4)
    url = copied_database(migrated_postgres, prefix="test_")  # as Django names the database of the tests
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-m", MARK, "-p", "no:cacheprovider", "--reuse-db", *files],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": url, "REDIS_URL": redis_url, "SECRET_KEY": KEY},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed and int(passed[1]) >= (300 if is_whole() else 50), done.stdout[-500:]


@pytest.mark.both_databases
@pytest.mark.django_db
def test_the_environment_alone_chooses_the_database() -> None:
    expected = "postgresql" if os.environ.get("DATABASE_URL", "").startswith("postgres") else "sqlite"
    assert connection.vendor == expected
    assert ("redis" if os.environ.get("REDIS_URL") else "embedded") == settings.QUEUE
