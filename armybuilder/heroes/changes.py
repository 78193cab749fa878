"""What changed between two states of a hero: cards that came or went, dials that turned."""

from collections import Counter
from collections.abc import Iterator, Sequence

from armybuilder.armylists.list_types import Changes
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.relic.hero import Loadout
from armybuilder.heroes.editing import dial_value
from armybuilder.heroes.wording import ACTION_NAMES, DIAL_NAMES, MOMENT_NAMES, TIER_NAMES

PILES = (
    ("power_cards", Text("Power card", "Карта Силы")),
    ("corruption", Text("Corruption card", "Карта Порчи")),
    ("trophies", Text("Trophy", "Трофей")),
)


def changes_between(before: Loadout, after: Loadout, *, rule_pack: str) -> Changes:
    """What is different in the second of two states."""
    return Changes(
        added=cards_gone(after, before),
        removed=cards_gone(before, after),
        changed=(),
        facts=tuple(changed_values(before, after)),
    )


def cards_gone(before: Loadout, after: Loadout) -> tuple[str, ...]:
    """Names of assets that the second hero no longer has; swap the two for those he has got."""
    gone = Counter(asset.name for asset in before.hero.assets) - Counter(asset.name for asset in after.hero.assets)
    return tuple(gone.elements())


def changed_values(before: Loadout, after: Loadout) -> Iterator[Text]:
    """Dials, moment, place, character, and the numbers of cards without names, e.g. "Strength: 4 → 5"."""
    for dial, words in DIAL_NAMES.items():
        old, new = dial_value(before, dial), dial_value(after, dial)
        if old != new:
            yield _changed(words, _figure(old), _figure(new))
    if before.hero.checkpoint != after.hero.checkpoint:
        old_moment, new_moment = MOMENT_NAMES[before.hero.checkpoint], MOMENT_NAMES[after.hero.checkpoint]
        yield Text(f"{old_moment.en} → {new_moment.en}", f"{old_moment.ru} → {new_moment.ru}")
    if before.hero.tier != after.hero.tier:
        old_tier, new_tier = TIER_NAMES[before.hero.tier], TIER_NAMES[after.hero.tier]
        yield Text(f"{old_tier.en} → {new_tier.en}", f"{old_tier.ru} → {new_tier.ru}")
    names = tuple((hero.hero.character.name if hero.hero.character else None) or "–" for hero in (before, after))
    if names[0] != names[1]:
        yield _changed(Text("Character", "Персонаж"), *names)
    for pile, words in PILES:
        old_cards, new_cards = _numbers(before, pile), _numbers(after, pile)
        if old_cards != new_cards:
            yield _changed(words, _listed(old_cards), _listed(new_cards))
    yield from _changed_charges(before, after)
    for kit, words in (
        ("battle_kit", Text("Used in battle", "В бою")),
        ("skill_kit", Text("Used in skill tests", "При проверках навыка")),
    ):
        if getattr(before.hero, kit) != getattr(after.hero, kit):
            yield _changed(words, _listed(getattr(before.hero, kit)), _listed(getattr(after.hero, kit)))
    for action in after.actions:
        if action not in before.actions:
            planned = ACTION_NAMES[action.action]
            yield Text(f"planned: {planned.en}", f"запланировано: {planned.ru}")


def _changed_charges(before: Loadout, after: Loadout) -> Iterator[Text]:
    """Charges of cards that both states have; of several of one name, those that stayed as they were say nothing."""
    charges_before, charges_after = _charges(before), _charges(after)
    for name, now in charges_after.items():
        earlier = charges_before.get(name, Counter())
        for old, new in zip((earlier - now).elements(), (now - earlier).elements(), strict=False):
            yield _changed(Text(f"{name}, charges", f"{name}, заряды"), _figure(old), _figure(new))


def _charges(document: Loadout) -> dict[str, Counter[int | None]]:
    """How many cards of each name have so many charges."""
    found: dict[str, Counter[int | None]] = {}
    for asset in document.hero.assets:
        found.setdefault(asset.name, Counter())[asset.charges] += 1
    return found


def _numbers(document: Loadout, pile: str) -> tuple[str, ...]:
    cards = getattr(document.hero, pile)
    if pile == "power_cards":
        return tuple(" ".join(filter(None, (str(card.number), card.name))) for card in cards)
    if pile == "trophies":
        return tuple(str(card.points) for card in cards)
    return tuple(f"{card.activation}{'↓' if card.face == 'down' else '↑'}" for card in cards)


def _listed(values: Sequence[str]) -> str:
    return ", ".join(values) or "–"


def _figure(value: int | None) -> str:
    return "–" if value is None else str(value).replace("-", "−")


def _changed(words: Text, old: str, new: str) -> Text:
    return Text(f"{words.en}: {old} → {new}", f"{words.ru}: {old} → {new}")
