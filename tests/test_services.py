"""The tests marked `both_databases` pass on PostgreSQL with Redis too, chosen by environment variables alone."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.services
def test_the_marked_tests_pass_on_postgresql_and_redis(postgres_url: str, redis_url: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-m", "both_databases", "-p", "no:cacheprovider"],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": postgres_url, "REDIS_URL": redis_url},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed and int(passed[1]) >= 10, done.stdout[-500:]


@pytest.mark.both_databases
@pytest.mark.django_db
def test_the_environment_alone_chooses_the_database() -> None:
    expected = "postgresql" if os.environ.get("DATABASE_URL", "").startswith("postgres") else "sqlite"
    assert connection.vendor == expected
    assert ("redis" if os.environ.get("REDIS_URL") else "embedded") == settings.QUEUE
