"""Releases of games without rosters: a `cards.toml` instead of game data files, read once and kept at hand."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from uuid import UUID

from armybuilder.datafiles.bundles import TRANSLATIONS, IncomingFile
from armybuilder.datafiles.models import DataFile
from armybuilder.engine.systems.relic.card_set import FILE_NAME, CardSet, read_card_set

NO_CARDS = CardSet()


def is_card_set(files: Sequence[IncomingFile]) -> bool:
    """Whether these files are cards rather than data of a game with rosters."""
    return any(file.name == FILE_NAME for file in files) and not any(file.is_game_data for file in files)


def card_files(folder: Path) -> tuple[IncomingFile, ...]:
    """The card file of a folder with its Russian names; empty when the folder has none."""
    paths = [folder / name for name in (FILE_NAME, TRANSLATIONS)]
    files = tuple(IncomingFile(path.name, path.read_bytes()) for path in paths if path.is_file())
    return files if is_card_set(files) else ()


def read_cards(files: Sequence[IncomingFile]) -> CardSet:
    """The cards among these files. Raises BadDocument when they cannot be read."""
    return next((read_card_set(file.content) for file in files if file.name == FILE_NAME), NO_CARDS)


@lru_cache(maxsize=8)
def cards_of(release_id: UUID) -> CardSet:
    """The cards of a stored release, which never change; none for a release without any."""
    row = DataFile.objects.filter(release_id=release_id, name=FILE_NAME).first()
    return read_card_set(bytes(row.content)) if row is not None else NO_CARDS
