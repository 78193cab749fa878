"""Explanations in a player's words: what is needed now, made of the chain behind it by patterns; each thing once."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from armybuilder.armylists.wording import same
from armybuilder.engine.findings import Text, in_figures
from armybuilder.engine.roster.explain import Explanation
from armybuilder.engine.roster.reasons import Reason
from armybuilder.reference.tending import answers, tidied

_SIDES = {
    "loyalist": Text("Only for Loyalists", "Только для лоялистов"),
    "traitor": Text("Only for Traitors", "Только для предателей"),
}
MOST_SAID = 4
"""More alternatives than that are no answer; the chain has them all."""


_NO_WORDS = Text("", "")


@dataclass(frozen=True, slots=True)
class _Need:
    """Something that must change: `and`, `or` of others, or a leaf with its words.

    Attributes:
        others: further alternatives that nobody names.
    """

    kind: str
    parts: tuple["_Need", ...] = ()
    text: Text = _NO_WORDS
    others: int = 0


def plain_words(found: Explanation) -> tuple[Text, ...]:
    """Why something cannot be taken (once more), or must be, in sentences without an end.

    Only what is true now is said, and nothing twice; of several limits the lowest. Where the chain follows no known
    pattern, it is told as it stands.
    """
    told = [reason for reason in found.reasons if reason.holds] or list(found.reasons)
    fixed = [reason for reason in told if _is_fixed(reason)]
    if fixed:
        lowest = min(fixed, key=lambda reason: reason.number or 0)
        told = [reason for reason in told if reason is lowest or not _is_fixed(reason)]
    return tuple(dict.fromkeys(text for reason in told for text in _sentences(reason)))


def allowed_with(found: Explanation, constraint_id: str) -> Text | None:
    """What would allow, or show, what the data does not as things stand, as the end of a sentence: "Remove 1".

    None where the data names nothing, or where no pattern says it.
    """
    for reason in found.reasons:
        if not reason.holds or (reason.kind == "maximum" and (reason.id != constraint_id or reason.number)):
            continue
        need = _to_be_allowed(reason) if reason.kind == "maximum" else _to_be_shown(reason)
        if need is not None:
            return _as_end(need)
    return None


def _as_end(need: _Need) -> Text:
    """What is needed behind what is to be removed: to take it instead, where all of it can be taken."""
    words = _said(need)
    if any(_is_plain(text) for text in _leaves(need)):
        return Text(f". {words.en}.", f". {words.ru}.")
    words = _words(need, inside=False)
    return Text(f", or take {words.en}.", f" или возьмите: {words.ru}.")


def _leaves(need: _Need) -> Iterator[Text]:
    if need.kind == "leaf":
        yield need.text
    for part in need.parts:
        yield from _leaves(part)


def _is_plain(text: Text) -> bool:
    """Whether a leaf is no thing to be taken."""
    return _is_sentence(text) or text.en.endswith(" for each")


def _is_sentence(text: Text) -> bool:
    return text in _SIDES.values() or text.en.split(" ")[0] in ("not", "only")


def may_grow(found: Explanation) -> bool:
    """Whether every limit in the way grows with what else is taken, so that it may be taken before that."""
    told = [reason for reason in found.reasons if reason.holds]
    return bool(told) and all(
        reason.kind == "maximum" and reason.wants == "most" and any(_growth(reason)) for reason in told
    )


def _is_fixed(reason: Reason) -> bool:
    """Whether it is a limit that grows with nothing, so that its number is all there is to say of it."""
    return reason.kind == "maximum" and reason.wants == "most" and not any(_growth(reason))


def _sentences(reason: Reason) -> Iterator[Text]:
    if reason.kind in ("hidden", "group-hidden"):
        need = _to_be_shown(reason)
        yield _said(need) if need is not None else _as_it_stands(reason)
    elif reason.kind == "maximum" and reason.wants == "most":
        yield _at_most(reason)
    elif reason.kind == "minimum" and reason.wants == "least":
        least, have = _figures(reason.number), _figures(reason.have)
        name = tidied(reason.name)
        yield Text(
            f"At least {least.en} of {name}: you have {have.en}", f"Не меньше {least.ru} ({name}): у вас {have.ru}"
        )
    elif reason.kind == "modifier":  # a message of the data, which says it all; behind it stands what it hangs on
        need = _needs(_joined("all", reason.reasons), holding=False)
        if need is not None:
            yield _said(need)
    else:
        yield _as_it_stands(reason)


def _to_be_shown(reason: Reason) -> _Need | None:
    """What would have to change for something hidden to be shown; None where no pattern says it."""
    hiding = [part for part in reason.reasons if part.wants == "hide" and part.holds]
    showing = [part for part in reason.reasons if part.wants == "show" and not part.holds]
    needs: list[_Need | None] = [_needs(_joined("all", part.reasons), holding=False) for part in hiding if part.reasons]
    if any(not part.reasons for part in hiding):
        return None
    if not hiding and showing:
        needs.append(_one_of([_needs(_joined("all", part.reasons), holding=True) for part in showing]))
    known = [need for need in needs if need is not None]
    return _put_together("and", known) if known and len(known) == len(needs) else None


def _to_be_allowed(limit: Reason) -> _Need | None:
    """What would have to change for a limit of 0 to be higher; None where no pattern says it."""
    lowering = [part for part in limit.reasons if part.holds and _lowers(part)]
    if lowering:
        needs = [_needs(_joined("all", part.reasons), holding=False) for part in lowering if part.reasons]
        known = [need for need in needs if need is not None]
        return _put_together("and", known) if len(known) == len(lowering) else None
    return _any_of(_needs_to_raise(part) for part in limit.reasons if not part.holds)


def _needs_to_raise(modifier: Reason) -> _Need | None:
    """What a change that would raise a limit waits for: its conditions, and one of what it grows with."""
    steps = [part for part in modifier.reasons if part.kind == "modifier"]
    eachs = [part for part in modifier.reasons if part.wants == "each"]
    own = [part for part in modifier.reasons if part not in steps and part not in eachs and not part.holds]
    needs = [_needs(part, holding=True) for part in own]
    if steps:
        needs.append(_any_of(_needs_to_raise(part) for part in steps))
    elif modifier.wants != "more" and not (modifier.wants == "set" and modifier.number):
        return None
    if eachs:
        needs.append(_any_of(_needs(part, holding=True) for part in eachs))
    known = [need for need in needs if need is not None]
    return _put_together("and", known) if len(known) == len(needs) else None


def _any_of(found: Iterable[_Need | None]) -> _Need | None:
    """The first of several ways, and how many others there are; none that asks for more than another does."""
    known = [need for need in found if need is not None]
    ways = tuple(dict.fromkeys(way for need in known for way in (need.parts if need.kind == "or" else (need,))))
    apart = [way for way in ways if way.kind != "and" or not set(way.parts) & set(ways)]
    if len(apart) < 2:
        return apart[0] if apart else None
    named = apart[:MOST_SAID]
    others = len(apart) - len(named) + sum(need.others for need in known)
    return _Need("or", tuple(named), others=others)


def _lowers(modifier: Reason) -> bool:
    """Whether a change takes a limit away from what it would be, and says when."""
    return bool(modifier.reasons) and (modifier.wants == "fewer" or (modifier.wants == "set" and modifier.number == 0))


@dataclass(frozen=True, slots=True)
class _Group:
    kind: str
    holds: bool
    reasons: Sequence[Reason]


def _joined(kind: str, reasons: Sequence[Reason]) -> _Group:
    return _Group(kind, all(reason.holds for reason in reasons), reasons)


def _needs(reason: "Reason | _Group", *, holding: bool) -> _Need | None:
    """What must change for a condition or a group to hold, or to hold no longer; None where no pattern says it."""
    if reason.kind in ("all", "any"):
        parts = [part for part in reason.reasons if part.holds is not holding]
        found = [_needs(part, holding=holding) for part in parts]
        if (reason.kind == "all") is holding:
            return _put_together("and", [need for need in found if need is not None]) if None not in found else None
        return _one_of(found)
    assert isinstance(reason, Reason)
    words = _leaf(reason, holding=holding)
    return _Need("leaf", text=words) if words is not None else None


def _one_of(found: Iterable[_Need | None]) -> _Need | None:
    """Any of what can be said; what cannot is no help to a player."""
    return _put_together("or", [need for need in found if need is not None])


def _put_together(kind: str, needs: Sequence[_Need]) -> _Need | None:
    apart = tuple(dict.fromkeys(part for need in needs for part in (need.parts if need.kind == kind else (need,))))
    if not apart or (kind == "or" and len(apart) > MOST_SAID):
        return None
    return apart[0] if len(apart) == 1 else _Need(kind, apart)


def _leaf(reason: Reason, *, holding: bool) -> Text | None:
    """One condition that must come true, or no longer be."""
    name = tidied(reason.name)
    wants = reason.wants if holding else _OPPOSITE.get(reason.wants, "")
    if wants == "some":
        for side, names in answers("allegiance").items():
            if name.casefold() in names:
                return _SIDES[side]
        number = max(1, ceil((reason.number or 1) - (reason.have or 0))) if holding else 1
        return same(name) if number == 1 else same(f"{number} × {name}")
    if wants == "each":
        return _for_one_more(reason, name)
    if wants == "none":
        return Text(f"not together with {name}", f"несовместимо: {name}")
    if wants == "kind":
        return Text(f"only in: {name}", f"только в: {name}")
    return Text(f"not in: {name}", f"не в: {name}") if wants == "not-kind" else None


def _for_one_more(each: Reason, name: str) -> Text:
    """What makes a limit that grows with something one higher: one of it, several, or so many points."""
    per, (unit, priced, _) = _figures(each.number), name.partition(" of anything ")
    if priced:
        return Text(f"{per.en} {unit} for each", f"по {per.ru} {unit} на каждое")
    return same(name) if each.number == 1 else Text(f"{per.en} × {name}", f"{per.ru} × {name}")


_OPPOSITE = {"some": "none", "none": "some", "kind": "not-kind", "not-kind": "kind"}


def _said(need: _Need) -> Text:
    """What is needed as one sentence: "Needs Chapter Tactics: Imperial Fists", "Only for Traitors"."""
    text = _words(need, inside=False)
    if need.kind == "leaf" and _is_sentence(text):
        return Text(text.en[:1].upper() + text.en[1:], text.ru[:1].upper() + text.ru[1:])
    return Text(f"Needs {text.en}", f"Нужно: {text.ru}")


def _words(need: _Need, *, inside: bool) -> Text:
    if need.kind == "leaf":
        if inside and need.text in _SIDES.values():
            return Text(need.text.en.removeprefix("Only for "), need.text.ru.removeprefix("Только для "))
        return need.text
    parts = [_words(part, inside=True) for part in need.parts]
    joint = ("; ", "; ") if need.kind == "and" else (" or ", " или ")
    en, ru = joint[0].join(part.en for part in parts), joint[1].join(part.ru for part in parts)
    if need.others:
        more = in_figures(str(need.others))
        en, ru = f"{en} or one of {more.en} others", f"{ru} или другое (ещё {more.ru})"
    return Text(f"({en})", f"({ru})") if inside else Text(en, ru)


def _at_most(reason: Reason) -> Text:
    """A limit with what it rests on, where it grows with the game: one per 1,000 points."""
    most, have = _figures(reason.number), _figures(reason.have)
    each = next((part for part in _growth(reason) if (part.number or 0) > 1), None)
    if each is not None:
        per, there = _figures(each.number), _figures(each.have)
        unit = tidied(each.name.split(" of ")[0])
        return Text(
            f"One per {per.en} {unit}: you have {there.en}, so {most.en}",
            f"По одному на {per.ru} {unit}: у вас {there.ru}, то есть {most.ru}",
        )
    for_each = dict(_for_each(reason))
    if for_each and len(for_each) <= MOST_SAID:
        return _growing(reason, for_each)
    need = None if reason.number else _to_be_allowed(reason)
    if need is not None:
        return _said(need)
    if not reason.number and not reason.have:
        return Text("Not allowed here", "Здесь не разрешено")
    return Text(f"At most {most.en}: you have {have.en}", f"Не больше {most.ru}: у вас {have.ru}")


def _growing(limit: Reason, for_each: Mapping[str, float]) -> Text:
    """A limit that grows by one with each of some things: of a leader, say, who brings a mob of his own."""
    most, have, there = _figures(limit.number), _figures(limit.have), _figures(sum(for_each.values()))
    names = ", ".join(for_each)
    if sum(for_each.values()) == limit.number:
        return Text(
            f"One for each {names}: you have {there.en}, so {most.en}",
            f"По одному на каждое: {names} (у вас {there.ru}, то есть {most.ru})",
        )
    return Text(
        f"At most {most.en}, one more for each {names}: you have {have.en}",
        f"Не больше {most.ru} и ещё по одному на каждое: {names} (у вас {have.ru})",
    )


def _for_each(limit: Reason) -> Iterator[tuple[str, float]]:
    """What a limit grows by one with, by name with how many there are."""
    for part in _growth(limit):
        if part.number == 1:
            yield tidied(part.name), part.have or 0


def _growth(limit: Reason) -> Iterator[Reason]:
    """What a limit grows with as things stand."""
    for modifier in limit.reasons:
        eachs = [part for part in modifier.reasons if part.wants == "each"]
        steps = [part for part in modifier.reasons if part.kind == "modifier"]
        if all(part.holds for part in modifier.reasons if part not in eachs and part not in steps):
            yield from (part for part in eachs if part.have is not None)
            yield from _growth(modifier) if steps else ()


def _as_it_stands(reason: Reason) -> Text:
    """A link and the links below it that are true, as one sentence; each once."""
    below = tuple(dict.fromkeys(_as_it_stands(inner) for inner in reason.reasons if inner.holds))
    text = Text(reason.text.en.rstrip(".:"), reason.text.ru.rstrip(".:"))
    if not below:
        return text
    return Text(
        f"{text.en} ({'; '.join(part.en for part in below)})", f"{text.ru} ({'; '.join(part.ru for part in below)})"
    )


def _figures(value: float | None) -> Text:
    if value is None:
        return same("?")
    return in_figures(str(int(value)) if value == int(value) else str(value))
