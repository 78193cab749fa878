"""The hero page's forms as edits: flat fields of a POST become the typed Structs of `heroes.edits`."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
from django.http import QueryDict

from armybuilder.armylists.edits import Edit, parse_edits
from armybuilder.armylists.errors import EditRefused
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.relic.card_set import CardSet
from armybuilder.engine.systems.relic.hero import ATTRIBUTES
from armybuilder.heroes.edits import AnyEdit, Fall, SetCharacter, TakeAsset, TradeMissions
from armybuilder.web.forms.edits import edit_of

BANDS = ("1", "2", "3", "4")
"""Rows of the form in which the limits of a character's Power cards are written."""

PLACES = frozenset({"places"})
NUMBERS = frozenset(
    {"value", "index", "charges", "activation", "points", "number", "cost", "spent_this_turn", "numbers_for_one_roll"}
)
SWITCHES = frozenset(
    {"experience_skipped", "by_effect", "set_up", "free_gain", "ability", "cannot_evade", "required_by_effect"}
)
LISTS = frozenset({"cards", "use"})
_ENVELOPE = frozenset({"edit", "revision", "csrfmiddlewaretoken", "focus", "have"})
_SHARED = frozenset({"set_name", "set_notes"})


def hero_edit_of(fields: QueryDict, cards: CardSet) -> Edit:
    """The edit that a form asks for.

    Args:
        cards: those on offer; a form names one of them, or writes its own.

    Raises:
        EditRefused: unknown edit, a missing member, a value of the wrong shape, an unknown card.
    """
    name = fields.get("edit", "")
    if name in _SHARED:
        return edit_of(fields)
    return _READERS.get(name, _plain)(fields, cards)


def _plain(fields: QueryDict, cards: CardSet) -> Edit:
    return _parsed({"edit": fields.get("edit", ""), **dict(_members(fields))})


def _members(fields: QueryDict, *, without: frozenset[str] = frozenset()) -> Iterator[tuple[str, Any]]:
    """The members of a form; an empty field is left out, except where None is a value."""
    for name in fields:
        if name in _ENVELOPE or name in without:
            continue
        text = str(fields[name]).strip()
        if name in LISTS:
            yield name, [value for value in fields.getlist(name) if value]
        elif name in PLACES:
            yield name, [whole(name, value) for value in fields.getlist(name) if value]
        elif name in SWITCHES:
            yield name, text == "on"
        elif name in NUMBERS:
            if text or name == "value":
                yield name, whole(name, text) if text else None
        elif text:
            yield name, text


def _kit(fields: QueryDict, cards: CardSet) -> Edit:
    return _parsed({"edit": "set_kit", "kit": fields.get("kit", ""), "cards": fields.getlist("cards")})


def _out_of_game(fields: QueryDict, cards: CardSet) -> Edit:
    names = [name.strip() for name in fields.get("characters", "").split(",")]
    return _parsed({"edit": "set_out_of_game", "characters": [name for name in names if name]})


def _power_card(fields: QueryDict, cards: CardSet) -> Edit:
    if chosen := fields.get("card"):
        card = next((card for card in cards.power_cards if card.name == chosen), None)
        if card is None:
            raise _no_card(chosen)
        return _parsed({"edit": "take_power_card", "card": {"name": card.name, "number": card.number}})
    return _parsed({"edit": "take_power_card", "card": dict(_members(fields, without=frozenset({"card"})))})


def _asset(fields: QueryDict, cards: CardSet) -> Edit:
    if chosen := fields.get("card"):
        card = cards.asset(chosen)
        if card is None:
            raise _no_card(chosen)
        return TakeAsset(card=card.as_asset())
    own: dict[str, Any] = {name: fields.get(name, "").strip() for name in ("name", "kind", "class") if fields.get(name)}
    for bonus in ("battle", "skill"):
        if value := fields.get(f"{bonus}_value", "").strip():
            own[f"{bonus}_bonus"] = {
                "color": fields.get(f"{bonus}_color", ""),
                "value": whole(f"{bonus}_value", value),
            }
    if charges := fields.get("charge_value", "").strip():
        own["charge_value"] = whole("charge_value", charges)
    return _parsed({"edit": "take_asset", "card": own})


def _trophy(fields: QueryDict, cards: CardSet) -> Edit:
    return _parsed({"edit": "take_trophy", "card": dict(_members(fields))})


def _character(fields: QueryDict, cards: CardSet) -> Edit:
    set_up = fields.get("set_up") == "on"
    if chosen := fields.get("card"):
        card = cards.character(chosen)
        if card is None:
            raise _no_card(chosen)
        return SetCharacter(character=card.as_character(), set_up=set_up)
    return _parsed({"edit": "set_character", "character": own_character(fields), "set_up": set_up})


def own_character(fields: Mapping[str, Any]) -> dict[str, Any]:
    """A character card as it is written into the form; what is left empty is not stated."""
    card: dict[str, Any] = {}
    if name := str(fields.get("name") or "").strip():
        card["name"] = name
    start = {
        name: whole(name, str(fields[name])) for name in (*ATTRIBUTES, "life") if str(fields.get(name) or "").strip()
    }
    if start:
        card["start"] = start
    if str(fields.get("asset_limit") or "").strip():
        card["asset_limit"] = whole("asset_limit", str(fields["asset_limit"]))
    bands, first = [], 0
    for row in BANDS:
        last, limit = (str(fields.get(f"band_{part}_{row}") or "").strip() for part in ("to", "limit"))
        if last and limit:
            bands.append(
                {"from": first, "to": whole(f"band_to_{row}", last), "limit": whole(f"band_limit_{row}", limit)}
            )
            first = bands[-1]["to"] + 1
    if bands:
        card["power_limits"] = bands
    return card


def _trade(fields: QueryDict, cards: CardSet) -> Edit:
    card = cards.asset(fields.get("card", ""))
    if card is None:
        raise _no_card(fields.get("card", ""))
    return TradeMissions(card=card.as_asset())


def _fall(fields: QueryDict, cards: CardSet) -> Edit:
    card = cards.character(fields.get("card", ""))
    if card is None:
        raise _no_card(fields.get("card", ""))
    return Fall(character=card.as_character())


def _action(fields: QueryDict, cards: CardSet) -> Edit:
    action = dict(_members(fields))
    if action.get("action") == "buy_wargear" and "cost" not in action:
        card = cards.asset(str(action.get("card", "")))
        if card is not None and card.cost is not None:
            action["cost"] = card.cost
    return _parsed({"edit": "plan_action", "action": action})


_READERS: Mapping[str, Callable[[QueryDict, CardSet], Edit]] = {
    "set_kit": _kit,
    "set_out_of_game": _out_of_game,
    "take_power_card": _power_card,
    "take_asset": _asset,
    "take_trophy": _trophy,
    "set_character": _character,
    "plan_action": _action,
    "trade_missions": _trade,
    "fall": _fall,
}


def whole(member: str, text: str) -> int:
    """A whole number as a player types it. Raises EditRefused."""
    try:
        return int(text.strip().replace(" ", "").replace("\u00a0", "").replace("−", "-"))
    except ValueError as error:
        raise EditRefused(
            Text(en=f"“{text}” is not a whole number.", ru=f"«{text}» – не целое число."), f"/{member}"
        ) from error


def _no_card(name: str) -> EditRefused:
    return EditRefused(Text(en=f"There is no card “{name}”.", ru=f"Нет карты «{name}»."), "/card")


def _parsed(raw: dict[str, Any]) -> Edit:
    return parse_edits(msgspec.to_builtins(raw), AnyEdit)[0]
