"""Magic of a rulebook: its common items as rows that people may edit, its lores as the rules text prints them."""

from collections.abc import Mapping

from armybuilder.datafiles.models import PublishedSystem
from armybuilder.engine.systems.fantasy_8th import reference as fantasy_8th
from armybuilder.reference.models import MagicItem

RULEBOOKS = {"fantasy-8th": fantasy_8th}
"""Rule packs whose rulebook prints magic items and lores."""


def load_magic_items(system: PublishedSystem) -> None:
    """Make the rows that are missing; what is there, and may have been edited, stays as it is."""
    book = RULEBOOKS.get(system.rule_pack)
    if book is None:
        return
    known = set(MagicItem.objects.filter(system=system).values_list("key", flat=True))
    rows = []
    for position, (slug, item) in enumerate(book.magic_items().items(), start=1):
        bearers = fantasy_8th.bearers(item)
        row = MagicItem(
            system=system,
            key=slug.replace("_", "-"),
            name=item.en,
            name_ru=item.ru,
            category=item.category,
            points=item.points,
            one_use=item.one_use,
            bearers=bearers.en,
            bearers_ru=bearers.ru,
            source=item.source,
            position=position,
        )
        row.search_text = words_of(row)
        if row.key not in known:
            rows.append(row)
    MagicItem.objects.bulk_create(rows)


def words_of(item: MagicItem) -> str:
    """What an item is found by, in both languages, in small letters."""
    return " ".join((item.name, item.name_ru, item.bearers, item.bearers_ru)).casefold()[:500]


def lores(system: PublishedSystem) -> Mapping[str, fantasy_8th.Lore]:
    """The lores of the system's rulebook by key; none where magic has no lores."""
    book = RULEBOOKS.get(system.rule_pack)
    return book.lores() if book is not None else {}


def spells_in_russian(rule_pack: str) -> dict[str, str]:
    """Russian names of the rulebook's spells by the English ones."""
    book = RULEBOOKS.get(rule_pack)
    return {spell.en: spell.ru for lore in book.lores().values() for spell in lore.spells} if book else {}
