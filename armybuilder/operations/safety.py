"""Settings no public site may have: a server refuses to start with them, `doctor` and `check --deploy` name them."""

import os
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.checks import Error
from django.core.exceptions import ImproperlyConfigured

LEAST_KEY_LENGTH = 50
LOOPBACK = {"127.0.0.1", "::1", "localhost"}


def unsafe_settings() -> Iterator[str]:
    """What is unsafe and what to set instead, a sentence each."""
    is_public = settings.HOST not in LOOPBACK or bool(settings.PUBLIC_URL)
    if "*" in settings.ALLOWED_HOSTS:
        yield "ALLOWED_HOSTS=* lets anybody choose the addresses in links: name the hosts, or set PUBLIC_URL alone."
    if settings.DEBUG and is_public:
        yield "DEBUG=on shows the insides of the site to everybody: set DEBUG=off, or serve on HOST=127.0.0.1 only."
    key = os.environ.get("SECRET_KEY", "")
    if key and (len(key) < LEAST_KEY_LENGTH or len(set(key)) < 5):
        yield (
            f"SECRET_KEY has {len(key)} characters and could be guessed: "
            "python3 -c 'import secrets; print(secrets.token_urlsafe(64))' makes one."
        )
    if not key and settings.REDIS_URL:
        yield "SECRET_KEY is not set, and every machine would sign with another key: set the same one everywhere."
    are_postgresql = all(database["ENGINE"].endswith("postgresql") for database in settings.DATABASES.values())
    if "replica" in settings.DATABASES and not are_postgresql:
        yield "REPLICA_DATABASE_URL is for a standby of PostgreSQL, and DATABASE_URL for its primary: set both or none."
    if settings.PUBLIC_URL.startswith("http://") and settings.HTTPS:
        yield "PUBLIC_URL says http and HTTPS is on: players would be sent in circles. Make them agree."


def refuse_unsafe_settings() -> None:
    """Raise ImproperlyConfigured with all that is unsafe; nothing happens otherwise."""
    if found := list(unsafe_settings()):
        raise ImproperlyConfigured("The site does not start with these settings:\n- " + "\n- ".join(found))


def check_settings(app_configs: Any, **_: Any) -> list[Error]:
    """The same for `manage.py check --deploy`."""
    return [Error(sentence, id="armybuilder.E001") for sentence in unsafe_settings()]
