"""A hero out of a text: any layout this site writes, in either language, or lines like them typed by hand.

Layouts set the same words differently: what a card states stands behind its name, in brackets, or in rows below. A line
is therefore taken for what it says and not for where it stands; what says nothing known is handed back.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.utils import translation

from armybuilder.armylists.errors import EditRefused
from armybuilder.armylists.imports.named_items import split_at_commas
from armybuilder.armylists.imports.pasted_text import LIST_NAME, NOT_OF_IT, TEXT_BYTES
from armybuilder.armylists.imports.source_list import LINE_LENGTH, LINES
from armybuilder.armylists.list_sheet import visible
from armybuilder.armylists.list_types import TextReading
from armybuilder.datafiles.card_sets import cards_of
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.relic.card_set import AssetCard, CardSet, CharacterCard
from armybuilder.engine.systems.relic.hero import PowerCard
from armybuilder.heroes.documents import SYSTEM, parse_hero, plain
from armybuilder.heroes.stated_words import (
    CHARACTER,
    CORRUPTION,
    PILES,
    POWER_CARD,
    TROPHY,
    Stated,
    action_called,
    is_called,
    member_in,
)
from armybuilder.reference.names import names_of

_TAG = re.compile(r"\[/?(?:b|u|i|s|size|list|quote|code|color)(?:=[^\]\n]{0,40})?\]|\[\*\]", re.IGNORECASE)
_MARKS = re.compile(r"^(?:[-+*•◦▪●○·‣–—#>=`]+\s*|(?:\.\s)+)+")
_ONE = re.compile(r"^1[xх×] ", re.IGNORECASE)
_ESCAPED = re.compile(r"\\([^\w\s])")
_NUMBERED = re.compile(r"(?P<name>.+) \((?P<number>-?\d{1,6})\)$")
_COLONS = 8
_SIGNS = re.compile(r"\b(?:relic|реликвия)\b|\b(?:moment|момент)(?: \(|:)", re.IGNORECASE)
"""The game, or the moment a hero is looked at: a text without either tells no hero, and nothing is looked up for it."""

Backwards = Callable[[str], str]
"""The name in the data of what a reader calls so."""


@dataclass(slots=True)
class _Card:
    """A line that names something, and what was stated of it."""

    number: int
    name: str
    stated: list[Stated] = field(default_factory=list)

    def all(self, key: str) -> list[Any]:
        return [value for known, value in self.stated if known == key]

    def choice(self, member: str) -> str | None:
        """Which of some flags is set: `wargear` of `kind=wargear`."""
        return next((key.partition("=")[2] for key, _ in self.stated if key.startswith(f"{member}=")), None)

    def values(self, *keys: str) -> dict[str, Any]:
        return {key: value for key, value in self.stated if key in keys}


def hero_in_text(text: str) -> TextReading | None:
    """The hero that a text tells; None where it tells none.

    Raises:
        EditRefused: it is a hero, with figures that no hero can have.
    """
    lowered = text.casefold()
    if len(text.encode()) > TEXT_BYTES or not _SIGNS.search(text.replace("\\", "")):
        return None
    system = PublishedSystem.objects.filter(rule_pack=SYSTEM, current_release__isnull=False).first()
    if system is None or system.current_release_id is None:
        return None
    cards = cards_of(system.current_release_id)
    backwards = _backwards(cards)
    read = list(_cards(text, backwards))
    hero = next((card for card in read if _is_character(card)), None)
    if hero is None:
        game = (system.name.casefold(), system.label.casefold())
        if not any(name in lowered for name in game):
            return None
        hero = next((card for card in read if cards.character(backwards(card.name))), None)
        if hero is None:
            return None
    document: dict[str, Any] = {"system": SYSTEM, "hero": _character(hero, cards, backwards)}
    document |= hero.values("players")
    unread = [card for card in read[read.index(hero) + 1 :] if not _placed(card, document, backwards)]
    title = _title(text, document["hero"], hero.name, system)
    if unread:
        document["notes"] = "\n".join(card.name for card in unread)
    try:
        return TextReading(system, parse_hero(document), title, tuple((card.number, card.name) for card in unread))
    except BadDocument as broken:
        raise EditRefused(
            Text(en=f"This text is no hero: {broken}", ru=f"Этот текст не описывает героя: {broken}")
        ) from broken


def _title(text: str, hero: dict[str, Any], character: str, system: PublishedSystem) -> str:
    """The name of the list: what the head calls so, or the first line without the game and whom it is of."""
    lines = [line for line in map(visible, text.splitlines()[:LINES]) if line]
    named = next((found["name"] for line in lines[:20] if (found := LIST_NAME.match(line))), None)
    if named is not None:
        return named
    title = next((words for line in lines if (words := _bare(line))), "")
    title = title.removeprefix(f"{character} - {hero.get('name') or character} - ")
    for game in (system.name, system.name_ru):
        title = title.removesuffix(f" ({game})") if game else title
    return "" if title == character else title


def _backwards(cards: CardSet) -> Backwards:
    names = names_of(SYSTEM)
    listed: tuple[CharacterCard | PowerCard | AssetCard, ...] = (*cards.characters, *cards.power_cards, *cards.assets)
    known: dict[str, str] = {}
    for language in ("ru", "en"):
        with translation.override(language):
            known |= {visible(names(card.name)).casefold(): card.name for card in listed if card.name}
    in_data = {russian.casefold(): name for name, russian in names.in_russian.items()} | known
    return lambda words: in_data.get(words.casefold(), words)


def _cards(text: str, backwards: Backwards) -> Iterator[_Card]:
    """Every line that names something, with what the lines below it state."""
    card: _Card | None = None
    for number, line in enumerate(text.splitlines()[:LINES], 1):
        words = _bare(line[:LINE_LENGTH])
        if not words or NOT_OF_IT.match(words):
            continue
        stated = _all_stated(words, backwards)
        if stated is not None and card is not None:
            card.stated += stated
            continue
        name, stated = _named(words, backwards)
        if card is not None and not stated and name == card.name and line.lstrip()[:1] in "•◦":
            continue  # the full form of team events names the only model of a unit once more
        if card is not None:
            yield card
        card = _Card(number, name, stated)
    if card is not None:
        yield card


def _bare(line: str) -> str:
    line = _ESCAPED.sub(r"\1", _TAG.sub("", visible(line))).replace("**", "").strip()
    line = _MARKS.sub("", line)
    return _ONE.sub("", line).rstrip("+*` ").strip()


def _named(words: str, backwards: Backwards) -> tuple[str, list[Stated]]:
    """The name that a line begins with, and what it states behind it."""
    at = words.find(": ")
    for _ in range(_COLONS):
        if at < 0:
            break
        if (stated := _all_stated(words[at + 2 :], backwards)) is not None:
            return words[:at], stated
        at = words.find(": ", at + 2)
    opened = _last_opened(words)
    if opened > 0 and words[opened - 1] == " ":
        stated = _all_stated(words[opened + 1 : -1], backwards)
        if stated is not None:
            return words[: opened - 1], stated
    return words, []


def _last_opened(words: str) -> int:
    """Where the bracket that the last sign closes was opened; -1 for nowhere."""
    depth = 0
    for place in range(len(words) - 1, -1, -1):
        depth += (words[place] == ")") - (words[place] == "(")
        if not depth:
            return place if words[place] == "(" else -1
    return -1


def _all_stated(words: str, backwards: Backwards) -> list[Stated] | None:
    """What a line states that states nothing else; None for others."""
    found = [member_in(part, backwards) for part in split_at_commas(words)]
    stated = [one for one in found if one is not None]
    if found and len(stated) == len(found):
        return stated
    whole = member_in(words, backwards)  # a name with a comma
    return [whole] if whole is not None else None


def _is_character(card: _Card) -> bool:
    return {"level", "checkpoint", "tier"} <= {key for key, _ in card.stated}


def _character(card: _Card, cards: CardSet, backwards: Backwards) -> dict[str, Any]:
    name = "" if is_called(card.name, CHARACTER) else backwards(card.name)
    hero: dict[str, Any] = {"name": own[0]} if (own := card.all("called")) else {}
    start = {key: value for key in ("strength", "willpower", "cunning", "life") for value in card.all(f"start_{key}")}
    printed = card.values("asset_limit") | ({"start": start} if start else {})
    if limits := card.all("power_limits"):
        printed["power_limits"] = limits
    known = cards.character(name)
    if known is not None and not printed:
        hero["character"] = plain(known.as_character())
    elif name or printed:
        hero["character"] = printed | ({"name": name} if name else {})
    hero |= card.values(
        "level", "life", "influence", "checkpoint", "tier", "experience_skipped", "corruption_discarded",
        "corruption_threshold", "dice", "roll_modifier", "power_cards_in_hand",
    )  # fmt: skip
    if attributes := card.values("strength", "willpower", "cunning"):
        hero["attributes"] = attributes
    missions = card.values("active_missions", "completed_missions")
    if missions:
        hero["missions"] = {key.removesuffix("_missions"): value for key, value in missions.items()}
    for key in ("battle_kit", "skill_kit", "corrupted_characters", "power_numbers"):
        if kept := card.all(key):
            hero[key] = kept
    if policy := card.all("reroll"):
        hero["reroll"] = {"policy": policy[0], **card.values("face_at_most", "times")}
    return hero


def _placed(card: _Card, document: dict[str, Any], backwards: Backwards) -> bool:
    """Lay a card to its pile; False for what is none."""
    hero = document["hero"]
    if not card.stated and any(is_called(card.name, title) for title in PILES):
        return True
    if action := action_called(card.name):
        plan = {key: value for key, value in card.stated if key != "use"}
        uses = card.all("use")
        document.setdefault("actions", []).append({"action": action, **plan, **({"use": uses} if uses else {})})
        return True
    kind = card.choice("kind")
    if kind is not None:
        asset = {"name": backwards(card.name), "kind": kind or None, "class": card.choice("class")}
        asset |= card.values("battle_bonus", "skill_bonus", "charge_value", "charges")
        hero.setdefault("assets", []).append({key: value for key, value in asset.items() if value is not None})
        return True
    found = _NUMBERED.match(card.name)
    if found is None:
        return False
    name, number = found["name"], int(found["number"])
    if is_called(name, CORRUPTION):
        lies = {"activation": number, "face": card.choice("face"), **card.values("flipped_by_effect")}
        hero.setdefault("corruption", []).append({key: value for key, value in lies.items() if value is not None})
    elif is_called(name, TROPHY):
        hero.setdefault("trophies", []).append({"points": number, "source": card.choice("source") or "threat"})
    else:
        named = {} if is_called(name, POWER_CARD) else {"name": backwards(name)}
        hero.setdefault("power_cards", []).append({"number": number, **named})
    return True
