"""Backups: everything an installation holds in one file, taken while it runs, and put back into either database.

The file is a gzipped tar: `manifest.json` (when, from which database, at which migrations, sums of the members), the
secret key, and for every table `tables/<app>.<model>.jsonl` with a row a line. Game data files lie in the database;
what is compiled from them is made again by itself. Rows are written as one moment saw them: of SQLite a copy is read
that the database itself makes, of PostgreSQL a transaction that sees nothing later. Restoring builds the tables as the
backup knew them, fills them, and then migrates to the present; nothing is changed unless all of it succeeds.
"""

import base64
import hashlib
import json
import os
import shutil
import sqlite3
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import IO, Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.color import no_style
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, connections, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from armybuilder.engine.errors import GameError

FORMAT = 1
SUFFIX = ".armybuilder.tar.gz"
BATCH = 500
SNAPSHOT = "backup"
"""Alias of the copy of an SQLite database that is read."""


class BackupRefused(GameError):
    """A file that is no backup, is damaged, or was made by a newer release; nothing was changed."""

    code = "backup-refused"


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup in the folder of backups.

    Attributes:
        size: in bytes.
    """

    path: Path
    made: datetime
    size: int


def folder() -> Path:
    """Where backups are kept."""
    return Path(settings.BACKUP_DIR)


def kept() -> list[Backup]:
    """The backups in their folder, newest first."""
    if not folder().is_dir():
        return []
    files = sorted(folder().glob(f"*{SUFFIX}"), reverse=True)
    facts = [(file, file.stat()) for file in files]
    return [Backup(file, datetime.fromtimestamp(fact.st_mtime, UTC), fact.st_size) for file, fact in facts]


def make(target: Path | None = None) -> Path:
    """Write a backup while the site runs; where it lies.

    Args:
        target: None for a file named after the moment in the folder of backups.

    Raises:
        BackupRefused: the database is none of a site: the settings are another's.
    """
    applied = _applied(MigrationLoader(connection))
    if not any(app == "accounts" for app, _ in applied):
        raise BackupRefused(
            f"The {connection.vendor} database {connection.settings_dict['NAME']} has no tables of the site. "
            "Are these its settings? docs/operations/README.md says how manage.py is called."
        )
    if target is None:
        folder().mkdir(parents=True, exist_ok=True, mode=0o700)
        target = folder() / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}{SUFFIX}"
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with (
            os.fdopen(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600), "w+b") as file,
            tarfile.open(fileobj=file, mode="w:gz") as archive,
        ):
            sums: dict[str, str] = {}
            with _one_moment() as alias:
                for name, rows in _tables(alias):
                    _add(archive, sums, f"tables/{name}.jsonl", rows)
            _add(archive, sums, "secret_key", iter([str(settings.SECRET_KEY).encode()]))
            manifest = {
                "format": FORMAT,
                "made": datetime.now(UTC).isoformat(),
                "database": connection.vendor,
                "migrations": applied,
                "sums": sums,
            }
            _add(archive, {}, "manifest.json", iter([json.dumps(manifest, indent=1).encode()]))
        with draft.open("rb") as written:
            os.fsync(written.fileno())
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    return target


def forget_old(keep: int) -> list[Path]:
    """Delete all but the newest backups of the folder; those that were deleted. 0 keeps all."""
    gone = [backup.path for backup in kept()[keep:]] if keep else []
    for path in gone:
        path.unlink()
    return gone


def restore(source: Path, *, tell: Callable[[str], Any] = str) -> None:
    """Replace everything this installation holds by what a backup holds.

    Args:
        tell: is told what is done at the moment.

    Raises:
        BackupRefused: nothing was changed.
    """
    with tempfile.TemporaryDirectory(prefix="armybuilder-restore-") as unpacked:
        manifest = _unpacked(source, Path(unpacked))
        state = _state(manifest)
        tell(f"The backup of {manifest['made']} is whole.")
        if connection.vendor == "sqlite":
            _into_a_new_file(Path(unpacked), state, manifest, tell)
        else:
            with transaction.atomic():
                _drop_all()
                _fill(Path(unpacked), state, manifest, tell)
        _put_key_back(Path(unpacked) / "secret_key")
    tell("Restored.")


@contextmanager
def _one_moment() -> Iterator[str]:
    """The alias of a connection that sees the database at one moment."""
    if connection.vendor != "sqlite":
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield "default"
        return
    with tempfile.TemporaryDirectory(prefix="armybuilder-backup-") as folder_of_copy:
        copy = Path(folder_of_copy) / "copy.sqlite3"
        connection.ensure_connection()
        with sqlite3.connect(copy) as target:
            connection.connection.backup(target, pages=1000, sleep=0.001)
        target.close()
        connections.databases[SNAPSHOT] = connections.databases["default"] | {"NAME": str(copy)}
        try:
            yield SNAPSHOT
        finally:
            connections[SNAPSHOT].close()
            del connections[SNAPSHOT]
            del connections.databases[SNAPSHOT]


def _applied(loader: MigrationLoader) -> list[tuple[str, str]]:
    """The applied migrations that the graph has: of those that one has replaced only that one."""
    return sorted(one for one in loader.applied_migrations if one in loader.graph.nodes)


def _tables(alias: str) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Name and rows of every table, as the applied migrations know them."""
    loader = MigrationLoader(connections[alias])
    state = loader.project_state(_applied(loader))
    for model in state.apps.get_models(include_auto_created=True):
        columns = [field.attname for field in model._meta.concrete_fields]
        rows = model._base_manager.using(alias).order_by("pk").values_list(*columns)
        head = json.dumps(columns).encode() + b"\n"
        yield model._meta.label_lower, _lines(head, rows.iterator(BATCH))


def _lines(head: bytes, rows: Iterator[Any]) -> Iterator[bytes]:
    yield head
    for row in rows:
        yield json.dumps([_plain(value) for value in row], cls=DjangoJSONEncoder, ensure_ascii=False).encode() + b"\n"


def _plain(value: Any) -> Any:
    """A value that JSON can hold; bytes are marked as such."""
    if isinstance(value, datetime):
        return value.isoformat()  # the encoder would cut microseconds
    if isinstance(value, bytes | memoryview):
        return {"base64": base64.b64encode(bytes(value)).decode()}
    return value


def _add(archive: tarfile.TarFile, sums: dict[str, str], name: str, content: Iterator[bytes]) -> None:
    """A member of the archive, through a file, because its size stands before it."""
    digest = hashlib.sha256()
    with tempfile.TemporaryFile() as held:
        for piece in content:
            digest.update(piece)
            held.write(piece)
        member = tarfile.TarInfo(name)
        member.size, member.mode = held.tell(), 0o600
        held.seek(0)
        archive.addfile(member, held)
    sums[name] = digest.hexdigest()


def _unpacked(source: Path, target: Path) -> Any:
    """Unpack a backup and compare its sums; its manifest."""
    try:
        with tarfile.open(source, "r:gz") as archive:
            for member in archive:
                _take_out(archive, member, target)
        manifest = json.loads((target / "manifest.json").read_text())
    except (OSError, EOFError, tarfile.TarError, ValueError, KeyError) as error:
        raise BackupRefused(f"{source} is no backup of Army Builder, or is damaged: {error}") from error
    if manifest.get("format") != FORMAT:
        raise BackupRefused(f"{source} has format {manifest.get('format')}; this release reads {FORMAT}.")
    for name, expected in manifest["sums"].items():
        with (target / name).open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != expected:
                raise BackupRefused(f"{source} is damaged: {name} is not what was written. Take another backup.")
    return manifest


def _take_out(archive: tarfile.TarFile, member: tarfile.TarInfo, target: Path) -> None:
    """Write a member into the folder; by hand, as `extractall` of Python before 3.11.4 lets members lie elsewhere.

    Raises:
        tarfile.TarError: it is no plain file below the folder.
    """
    name = PurePosixPath(member.name)
    if not member.isfile() or name.is_absolute() or ".." in name.parts:
        raise tarfile.TarError(f"{member.name[:100]!r} is no file of a backup")
    place = target / name
    place.parent.mkdir(parents=True, exist_ok=True)
    content = archive.extractfile(member)
    assert content is not None  # it is a file
    with content, place.open("xb") as file:
        shutil.copyfileobj(content, file)


def _state(manifest: Any) -> list[tuple[str, str]]:
    """The migrations of a backup, all of which this release must know."""
    wanted = [(app, name) for app, name in manifest["migrations"]]
    known = MigrationLoader(None).disk_migrations
    newer = sorted(f"{app}.{name}" for app, name in wanted if (app, name) not in known)
    if newer:
        raise BackupRefused(
            f"The backup was made by a newer release (it knows {', '.join(newer[:3])}). Upgrade first, then restore."
        )
    return wanted


def _into_a_new_file(unpacked: Path, state: list[tuple[str, str]], manifest: Any, tell: Callable[[str], Any]) -> None:
    """Fill a new SQLite file and put it in the place of the old one, which stays beside it."""
    place = Path(connection.settings_dict["NAME"])
    place.parent.mkdir(parents=True, exist_ok=True)
    draft = place.with_name(f"{place.name}.restoring")
    connection.close()
    try:
        connection.settings_dict["NAME"] = str(draft)
        _fill(unpacked, state, manifest, tell)
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except BaseException:
        connection.close()
        for suffix in ("", "-wal", "-shm"):
            Path(f"{draft}{suffix}").unlink(missing_ok=True)
        raise
    finally:
        connection.close()
        connection.settings_dict["NAME"] = str(place)
    for suffix in ("-wal", "-shm", ""):
        if (old := Path(f"{place}{suffix}")).exists():
            old.replace(f"{place}.before-restore{suffix}")
    draft.replace(place)


def _drop_all() -> None:
    """Every table of the present PostgreSQL schema; taken back if the transaction fails."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"DROP TABLE {connection.ops.quote_name(table)} CASCADE")


def _fill(unpacked: Path, state: list[tuple[str, str]], manifest: Any, tell: Callable[[str], Any]) -> None:
    """Make the tables as the backup knew them, fill them, and migrate to the present."""
    executor = MigrationExecutor(connection)
    graph = executor.loader.graph
    leaves = [
        node
        for node in state
        if not any(child.key in state for child in graph.node_map[node].children if child.key[0] == node[0])
    ]
    tell("Making the tables.")
    executor.migrate(leaves)
    apps = MigrationLoader(connection).project_state(state).apps
    models = apps.get_models(include_auto_created=True)
    with transaction.atomic():
        _check_references("DEFERRED")  # migrations had them checked at once
        for model in models:  # migrations wrote some rows of their own
            with connection.cursor() as cursor:
                cursor.execute(f"DELETE FROM {connection.ops.quote_name(model._meta.db_table)}")  # noqa: S608
        for model in models:
            file = unpacked / "tables" / f"{model._meta.label_lower}.jsonl"
            if file.is_file():
                with file.open("rb") as lines:
                    number = _load(model, lines)
                tell(f"{model._meta.label_lower}: {number}")
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), models):
                cursor.execute(statement)
        _check_references("IMMEDIATE")
    tell("Migrating to this release.")
    call_command("migrate", verbosity=0, interactive=False)


def _check_references(when: str) -> None:
    """DEFERRED or IMMEDIATE: while tables are filled, rows refer to what comes later. SQLite defers by itself."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SET CONSTRAINTS ALL {when}")


def _load(model: Any, lines: IO[bytes]) -> int:
    """Put the rows of a table back as they were, some at a time; how many."""
    columns = json.loads(next(lines))
    fields = {field.attname: field for field in model._meta.concrete_fields}
    for field in fields.values():
        for stamp in ("auto_now", "auto_now_add"):
            if getattr(field, stamp, False):
                setattr(field, stamp, False)
    number, batch = 0, []
    for line in lines:
        values = {name: _read(fields[name], value) for name, value in zip(columns, json.loads(line), strict=True)}
        batch.append(model(**values))
        if len(batch) >= BATCH:
            number += len(model._base_manager.bulk_create(batch))
            batch = []
    return number + len(model._base_manager.bulk_create(batch))


def _read(field: Any, value: Any) -> Any:
    if isinstance(value, dict) and set(value) == {"base64"} and field.get_internal_type() == "BinaryField":
        return base64.b64decode(value["base64"])
    return (field.target_field if field.is_relation else field).to_python(value)


def _put_key_back(file: Path) -> None:
    """The key that signed links and sessions, unless the settings name one."""
    if os.environ.get("SECRET_KEY"):
        return
    path = settings.VAR_DIR / "secret_key"
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"secret_key.{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as key:
        key.write(file.read_bytes())
        key.flush()
        os.fsync(key.fileno())
    draft.replace(path)
