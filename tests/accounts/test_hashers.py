"""Passwords are hashed with Argon2, a bounded number at once."""

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher, check_password, make_password

from armybuilder import settings as shipped
from tests.conftest import PASSWORD


@pytest.fixture(autouse=True)
def _as_shipped(settings: Any) -> None:
    settings.PASSWORD_HASHERS = shipped.PASSWORD_HASHERS


@pytest.mark.long
def test_the_hash_is_what_django_makes_and_reads() -> None:
    hashed = make_password(PASSWORD)
    assert hashed.startswith("argon2$argon2id$")
    assert check_password(PASSWORD, hashed) and not check_password("another one", hashed)
    assert Argon2PasswordHasher().verify(PASSWORD, hashed)


@pytest.mark.long
def test_eight_threads_hash_two_passwords_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    hashed = make_password(PASSWORD)
    lock, now, most = Lock(), 0, 0

    def watched(act: Any) -> Any:
        def watch(*args: Any, **kwargs: Any) -> Any:
            nonlocal now, most
            with lock:
                now += 1
                most = max(most, now)
            time.sleep(0.02)
            try:
                return act(*args, **kwargs)
            finally:
                with lock:
                    now -= 1

        return watch

    for name in ("encode", "verify"):
        monkeypatch.setattr(Argon2PasswordHasher, name, watched(getattr(Argon2PasswordHasher, name)))
    with ThreadPoolExecutor(8) as threads:
        checked = list(threads.map(lambda _: check_password(PASSWORD, hashed), range(8)))
        made = list(threads.map(lambda _: make_password(PASSWORD), range(8)))
    assert all(checked) and len(set(made)) == 8
    assert most == shipped.PASSWORD_HASHES_AT_ONCE == 2
