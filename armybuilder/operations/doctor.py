"""What is wrong with an installation, and the remedy of each: `manage.py doctor`."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.db import DatabaseError, connection
from django.utils import timezone

from armybuilder.accounts import second_factor
from armybuilder.accounts.queries import administrators
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.operations import backups, health
from armybuilder.operations.health import State
from armybuilder.operations.safety import unsafe_settings
from armybuilder.simulations import raw_sql

OLDEST_BACKUP = timedelta(days=2)
CLOCKS_APART = timedelta(seconds=5)
LONGEST_WAIT_SECONDS = 600


def examined() -> list[State]:
    """Everything looked at, each as it is; what needs the database is left out while it is away."""
    found = [*_settings(), *health.states()]
    if not any(state.name == "database" for state in health.sick(found)):
        found += health.replica()
        for look in (_migrations, _integrity, _clock, _game_data, _administrators, _waiting):
            try:
                found += look()
            except DatabaseError as error:
                found.append(State(look.__name__.strip("_"), False, str(error), "Run `manage.py migrate`."))
    for look, remedy in (
        (_key, "Let the user of the site enter VAR_DIR, or name another folder."),
        (_static, "Run `manage.py collectstatic --noinput`."),
        (_backups, "Let the user of the site write into BACKUP_DIR, or name another folder."),
    ):
        try:
            found += look()
        except OSError as error:
            found.append(State(look.__name__.strip("_"), False, str(error), remedy))
    return found


def _settings() -> Iterator[State]:
    unsafe = list(unsafe_settings())
    for sentence in unsafe:
        yield State("settings", False, sentence, "Change .env and start again; docs/operations/configure.md.")
    if not unsafe:
        yield State("settings", True, "safe")


def _migrations() -> Iterator[State]:
    missing = health.unapplied_migrations()
    detail = f"{len(missing)} missing: {', '.join(missing[:3])}" if missing else "all applied"
    yield State("migrations", not missing, detail, "Run `manage.py migrate`." if missing else "")


def _integrity() -> Iterator[State]:
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA quick_check(1)")
        (answer,) = cursor.fetchone()
    remedy = "" if answer == "ok" else "Stop the site and restore the last backup; docs/operations/backup.md."
    yield State("database file", answer == "ok", answer, remedy)


def _clock() -> Iterator[State]:
    apart = abs(raw_sql.database_time() - timezone.now())
    is_well = apart < CLOCKS_APART
    remedy = "" if is_well else "Have all machines keep time (systemd-timesyncd, chrony)."
    yield State("clock", is_well, f"{apart.total_seconds():.1f} s apart from the database's", remedy)


def _game_data() -> Iterator[State]:
    games = PublishedSystem.objects.filter(current_release__isnull=False).count()
    yield State("game data", games > 0, f"{games} games published", "" if games else "Run `manage.py seed`.")


def _administrators() -> Iterator[State]:
    known = list(administrators())
    if not known:
        yield State("administrators", True, "none; `manage.py createsuperuser` makes one")
        return
    bare = [user.get_username() for user in known if not second_factor.is_enrolled(user)]
    detail = f"without a second factor: {', '.join(bare)}" if bare else "all have a second factor"
    remedy = "Set one up at /accounts/second-factor/; SECOND_FACTOR_REQUIRED=1 asks for it." if bare else ""
    yield State("administrators", not bare, detail, remedy)


def _waiting() -> Iterator[State]:
    queue = health.queue()
    is_well = queue.oldest_seconds < LONGEST_WAIT_SECONDS
    detail = f"{queue.waiting} pieces wait, the oldest {queue.oldest_seconds:.0f} s; {queue.running} run"
    yield State("simulations", is_well, detail, "" if is_well else "docs/operations/faults/simulations-wait.md")


def _key() -> Iterator[State]:
    key = settings.VAR_DIR / "secret_key"
    if key.exists():
        is_well = not key.stat().st_mode & 0o077
        remedy = "" if is_well else f"chmod 600 {key}"
        yield State("secret key", is_well, "readable by its owner alone" if is_well else "others can read it", remedy)


def _backups() -> Iterator[State]:
    newest = next(iter(backups.kept()), None)
    if newest is None:
        yield State("backups", False, "none", "Run `manage.py backup`, every night; docs/operations/backup.md.")
        return
    is_well = datetime.now(UTC) - newest.made < OLDEST_BACKUP
    remedy = "" if is_well else "Look why the nightly `manage.py backup` no longer runs; docs/operations/backup.md."
    yield State("backups", is_well, f"the last one is of {newest.made:%Y-%m-%d %H:%M} UTC", remedy)


def _static() -> Iterator[State]:
    if not settings.STATIC_COLLECTED:
        yield State("static files", True, "served where they lie")
        return
    find: Callable[[str], bool] = staticfiles_storage.exists
    is_well = find("staticfiles.json")
    remedy = "" if is_well else "Run `manage.py collectstatic --noinput`."
    yield State("static files", is_well, "collected" if is_well else "not collected", remedy)
