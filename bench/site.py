"""A fresh installation for benchmarks: its own folder and database, a user with a token, a list."""

import os
import secrets
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

import msgspec

STACK = "BENCH_DATABASE_URL", "BENCH_REDIS_URL"
"""Variables that name database and queue of the installation; without them it has SQLite and its own workers."""


@dataclass(frozen=True, slots=True)
class Site:
    """What a benchmark needs of the installation.

    Attributes:
        environment: variables under which a server is this installation.
        secret: of a token that may write.
    """

    environment: Mapping[str, str]
    secret: str
    list_id: UUID


@contextmanager
def migrated_site(**more: str) -> Iterator[dict[str, str]]:
    """Make an empty installation and yield its environment; it is gone afterwards.

    Call it before anything imports Django's settings.

    Args:
        more: settings besides those that every benchmark has.
    """
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            "DJANGO_SETTINGS_MODULE": "armybuilder.settings",
            "VAR_DIR": folder,
            "SECRET_KEY": secrets.token_urlsafe(64),
            "DATABASE_URL": os.environ.get(STACK[0]) or f"sqlite:///{folder}/armybuilder.sqlite3",
            "REDIS_URL": os.environ.get(STACK[1], ""),
            "DEBUG": "false",
            **more,
        }
        os.environ |= environment
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connections

        call_command("migrate", verbosity=0)
        yield environment
        connections.close_all()


@contextmanager
def fresh_site() -> Iterator[Site]:
    """An installation with a token and a list; gone afterwards."""
    with migrated_site(API_RATE_ANON="100000000/min", API_RATE_USER="100000000/min") as environment:
        yield _filled(environment)


def _filled(environment: Mapping[str, str]) -> Site:
    from armybuilder.accounts.models import User
    from armybuilder.accounts.scopes import WRITING
    from armybuilder.accounts.services import issue_token
    from armybuilder.armylists.models import ArmyList
    from armybuilder.datafiles.models import DataRelease, PublishedSystem

    user = User.objects.create_user("bench", password=secrets.token_urlsafe(16))
    system = PublishedSystem.objects.create(id="horus-heresy", name="The Horus Heresy", rule_pack="horus-heresy")
    release = DataRelease.objects.create(system=system, number=1, content_hash="0" * 64)
    system.current_release = release
    system.save()
    army_list = ArmyList.objects.create(
        owner=user,
        system=system,
        release=release,
        name="Sixty selections",
        points_limit=3000,
        points=Decimal(2990),
        document=sixty_selections(),
    )
    return Site(environment, issue_token(user, name="bench", scopes=WRITING).secret, army_list.pk)


def sixty_selections() -> str:
    """A stored document of about 11 KB: twelve units with four options each."""
    from armybuilder.engine.roster.model import Force, Roster, Selection

    def node(number: int, children: tuple[Selection, ...] = ()) -> Selection:
        return Selection(
            id=f"node-{number:04}-{'ab12cd34' * 2}",
            entry_id=f"link-{number:04}-ab12::entry-{number:04}-cd34",
            group_id=f"group-{number:04}-ef56",
            amount=1 + number % 5,
            name=f"Tactical Support Squad {number}",
            selections=children,
        )

    units = tuple(node(5 * i, tuple(node(5 * i + j) for j in range(1, 5))) for i in range(12))
    force = Force(id="force-1", entry_id="crusade-1", catalogue_id="catalogue-1", selections=units, name="Crusade")
    roster = Roster(id="roster-1", name="Sixty selections", system_id="system-1", forces=(force,))
    return msgspec.json.encode({"roster": roster, "facts": {"allegiance": "loyalist"}}).decode()
