"""What a new release changes: catalogues that come, go or move to another revision."""

from dataclasses import dataclass

from armybuilder.engine.gamedata.links import Library


@dataclass(frozen=True, slots=True)
class ReleaseDiff:
    """Names of catalogues, each list in alphabetical order; `revised` adds the two revisions."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    revised: tuple[tuple[str, str, str], ...]


def compare(old: Library, new: Library) -> ReleaseDiff:
    """What changes for players when the new library takes the place of the old one."""
    before = {catalogue.id: catalogue for catalogue in old.catalogues}
    after = {catalogue.id: catalogue for catalogue in new.catalogues}
    return ReleaseDiff(
        added=tuple(sorted(after[key].name for key in after.keys() - before.keys())),
        removed=tuple(sorted(before[key].name for key in before.keys() - after.keys())),
        revised=tuple(
            sorted(
                (after[key].name, str(before[key].revision), str(after[key].revision))
                for key in before.keys() & after.keys()
                if before[key].revision != after[key].revision
            )
        ),
    )
