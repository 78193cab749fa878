"""What game data says in sentences: strategy rating and initiatives of an army list, and who rides in what.

The community writes these as the text of a rule ("Strategy Rating & Initiative (SM)", "Transport (Ork)").
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import ceil
from typing import NamedTuple

from armybuilder.engine.roster.state import RuleState
from armybuilder.engine.systems.epic.army import Unit
from armybuilder.engine.systems.epic.roster.recognition import stem

NAVY = frozenset(
    stem(name)
    for name in (
        "Imperial Navy", "Chaos Navy", "Thunderbolt", "Marauder", "Lightning", "Avenger", "Vulture", "Swiftdeath",
        "Hell Blade", "Hell Talon", "Hellblade", "Helltalon", "Harbinger",
    )
)  # fmt: skip
"""Aircraft that army lists of others borrow from a navy, which has an initiative of its own."""

SPACECRAFT = ("spacecraft", "spaceship")
TITAN, BATTLE_TITAN = "titan", "battle titan"
SCOUT_TITANS = frozenset({"scout", "warhound"})
"""Words in the names of titans that are no battle titans."""

WITH_CHARACTERS = "accompanied by a character"
EXCEPT = "except for "
SUPPORT, ALLIES = re.compile(r"\d{1,3} per formation"), re.compile(r"one third")
"""Categories of supporting formations, and of allies, as the community's army lists call them."""

NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4}
FORBIDDEN = {"jump pack": ("jump packs", "jump pack"), "mounted": ("mounted",)}
"""Words of a transport's text and the rules of the units they shut out."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """Strategy rating and initiatives of one army list.

    Attributes:
        initiatives: whose, as stems of the names in the sentence, and which; in the order of the text.
        others: initiative of all formations that are not named.
        rolled: dice that give the strategy rating; led_by: somebody's stem, and the rating of an army with him in it.
    """

    strategy: int | None = None
    initiatives: tuple[tuple[frozenset[str], str], ...] = ()
    others: str | None = None
    rolled: str | None = None
    led_by: tuple[str, int] | None = None

    def initiative(
        self,
        names: Iterable[str],
        *,
        aircraft: bool,
        spacecraft: bool,
        sections: Iterable[str] = (),
        has_characters: bool = False,
    ) -> str | None:
        """The initiative of a formation of these names: its own, its units', its rules'.

        Args:
            sections: its categories, by which it is a supporting or an allied one.
        """
        stems = [stem(name) for name in names]
        known = [section.casefold() for section in sections]

        def by_name(subject: str) -> bool:
            return not _is_at_large(subject) and called(subject)

        def at_large(subject: str) -> bool:
            return _is_at_large(subject) and called(subject)

        def called(subject: str) -> bool:
            return _names(subject, stems, aircraft=aircraft, spacecraft=spacecraft)

        def otherwise(subject: str) -> bool:
            if subject.endswith(WITH_CHARACTERS):
                return has_characters
            return _is_of_section(subject, known, aircraft=aircraft)

        for meant in (by_name, at_large, otherwise):  # the navy's before those of aircraft at large
            for subjects, value in self.initiatives:
                if any(called(subject.removeprefix(EXCEPT)) for subject in subjects if subject.startswith(EXCEPT)):
                    continue
                if any(map(meant, subjects)):
                    return value
        return self.others


def is_about_ratings(rule: RuleState) -> bool:
    """Whether a rule says which strategy rating and initiatives an army list has."""
    return "strategy rating" in rule.name.casefold()


def ratings(rules: Iterable[RuleState]) -> Ratings:
    """What the visible rules of a force say about strategy and initiative."""
    strategy: int | None = None
    rolled: str | None = None
    led_by: tuple[str, int] | None = None
    initiatives: list[tuple[frozenset[str], str]] = []
    others: str | None = None
    first: str | None = None
    for rule in rules:
        if not is_about_ratings(rule):
            continue
        found = re.search(r"strategy\s{1,9}rating\s{0,9}(?:of|is|:)?\s{0,9}(\d{1,3})", rule.description, re.IGNORECASE)
        leader = _LED_BY.search(rule.description)
        if strategy is None and leader is not None:
            strategy, led_by = int(leader["other"]), (stem(leader["whom"]), int(leader["rating"]))
        if strategy is None and found:
            strategy = int(found[1])
        if strategy is None and (dice := _ROLLED_RATING.search(rule.description)) is not None:
            rolled = dice[1].upper()
        army = _army(rule.description)
        for subject, value in _clauses(rule.description):
            if _stands_for_all(subject):
                others = others or value
                if besides := _HOLDING.search(subject):  # "Daemons which include a Greater Daemon, and all others"
                    initiatives.insert(0, (frozenset(_subjects(besides["whom"], army)), value))
            else:
                first = first or value
                initiatives.append((frozenset(_subjects(subject, army)), value))
    return Ratings(strategy, tuple(initiatives), others or first, rolled if strategy is None else None, led_by)


_ROLLED_RATING = re.compile(r"strategy\s{1,9}rating\s{1,9}of\s{1,9}(\d?D[36])", re.IGNORECASE)
_LED_BY = re.compile(
    r"\bincluding (?:the |an? )(?P<whom>[^.,;]{1,60}?) has a strategy rating of (?P<rating>\d{1,2}),? otherwise "
    r"[^.;\d]{0,80}strategy rating of (?P<other>\d{1,2})",
    re.IGNORECASE,
)


def _clauses(text: str) -> Iterator[tuple[str, str]]:
    """Whose initiative a sentence states, and which: `Titans have an initiative rating of 1+`, `1+ (Titans)`."""
    for sentence in re.split(r"[.;\n]+\s*|,\s*(?=all other|other|but )", text):
        if "strategy" in sentence.casefold() and "initiative" not in sentence.casefold():
            continue
        for value, subject in re.findall(r"([1-6])\+\s{0,9}\(([^()]*)\)", sentence):
            yield subject.strip(), f"{value}+"
        verb = _VERB.search(sentence)
        found = verb and _RATING.search(sentence, verb.end())
        if verb and found:
            whose = sentence[: verb.start()]
            subject = re.split(r"strategy rating[^.]*?(?:\band\b|$)", whose, flags=re.IGNORECASE)[-1]
            if "strategy" not in whose.casefold() or subject.strip():
                yield subject.strip(), f"{found[1] or found[2] or found[3]}+"
        for subject, value in _EXCEPT.findall(sentence):
            yield subject.strip(), f"{value}+"


_VERB = re.compile(r"\b(?:have|has|is|are|with)\b", re.IGNORECASE)
_RATING = re.compile(r"\b([1-6])\+|\+([1-6])|initiative\D{0,60}([1-6])\b", re.IGNORECASE)
_EXCEPT = re.compile(r"\bexcept(?: for)? (.{1,120}?) which have\D{0,60}([1-6])\+", re.IGNORECASE)


def _stands_for_all(subject: str) -> bool:
    """`All formations`, `All other X formations`; `Ork formations` are those of an army that names no others."""
    return bool(re.search(r"\b(other|most)\b", subject, re.IGNORECASE)) or bool(
        re.match(r"(all )?formations\b(?! (?:of|that|which|containing|including)\b)", subject, re.IGNORECASE)
    )


_HOLDING = re.compile(
    r"\b(?:(?:that|which) (?:include|contain)|containing|including)\s+(?:any |one or more |an? )?(?P<whom>[^,]+)",
    re.IGNORECASE,
)
"""What a formation has in it whose initiative a sentence states."""


def _army(text: str) -> str:
    """The name of an army as its text begins, as a stem: `Biel-Tan armies have …`."""
    found = re.match(r"\W{0,9}(.{1,120}?) (?:armies|army)\b", text)
    return stem(found[1]) if found else ""


def _subjects(subject: str, army: str) -> Iterator[str]:
    """Whose initiative it is, as stems; what begins with the army's own name without it too."""
    held = _HOLDING.sub(r" \g<whom>", subject)
    without = re.sub(r"\([^)]{0,200}\)|\b(all|any|formations?|armies|army|the)\b", " ", held, flags=re.IGNORECASE)
    if "spacecraft" in subject.casefold():
        yield "spacecraft"
    for part in re.split(r",|\band\b|\bor\b|&|/", without):
        found = BATTLE_TITAN if stem(part) == "battle" else stem(part)  # "Battle and Scout Titans"
        if found:
            yield found
            plain = re.sub(r"^(inducted|adeptu) ", "", found.removeprefix(f"{army} ") if army else found)
            yield re.sub(r"^titan( legion| battlegroup| ally| support)+$", TITAN, plain)


def _is_at_large(subject: str) -> bool:
    return subject in SPACECRAFT or (subject.endswith("aircraft") and "navy" not in subject)


def _is_of_section(subject: str, sections: list[str], *, aircraft: bool) -> bool:
    """Whether a formation of these categories is meant: "Non-Aircraft Support Formations", "Mechanicus ally"."""
    words = set(subject.split()) - {"which", "that"}
    if words in ({"support"}, {"non", "aircraft", "support"}):
        return any(map(SUPPORT.match, sections)) and not (aircraft and "non" in words)
    allies = subject.endswith((" ally", " allied")) and TITAN not in subject
    return allies and any(map(ALLIES.match, sections))


def _names(subject: str, stems: list[str], *, aircraft: bool, spacecraft: bool) -> bool:
    if "navy" in subject:
        return aircraft and any(name in own for name in NAVY for own in stems)
    if _is_at_large(subject):
        return spacecraft if subject in SPACECRAFT else aircraft
    if subject in (TITAN, BATTLE_TITAN):
        return not aircraft and _are_titans(stems, of_battle=subject == BATTLE_TITAN)
    wanted = [subject, subject.removesuffix(" legion"), subject.removesuffix(" titan legion")]
    if any(word and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", own) for word in wanted for own in stems):
        return True
    return _has_words(subject, stems) or _is_type_number(subject, stems)


def _are_titans(stems: list[str], *, of_battle: bool) -> bool:
    """Whether a name is one of titans; battle titans are all that are no scouts."""
    scouts = any(SCOUT_TITANS & set(own.split()) for own in stems)
    return not (of_battle and scouts) and any(re.search(r"\btitan\b(?! hunter)", own) for own in stems)


def _has_words(subject: str, stems: list[str]) -> bool:
    """Whether the names of a formation and a unit in it have all words: "Crisis cadres" are a "Crisis Suit Cadre"."""
    sought = set(subject.split())
    own = set(stems[0].split()) if stems else set()
    return len(sought) > 1 and any(sought <= own | set(name.split()) for name in stems)


def _is_type_number(subject: str, stems: list[str]) -> bool:
    """Whether a name begins with a number that is written apart elsewhere: "KX-139" is the KX139."""
    joined = subject.replace(" ", "")
    return joined[-1:].isdecimal() and any(own.replace(" ", "").startswith(joined) for own in stems)


@dataclass(frozen=True, slots=True)
class Capacity:
    """What one carrier takes, as its text says.

    Attributes:
        slots: places of one carrier.
        infantry: any infantry is taken; `shut_out` names rules and `without` names of units that are not.
        named: stems of units that are taken.
        larger: stem of a unit and the places it takes; none where it is carried in addition to the others.
        in_part: the text goes on with places for others, which a single number does not hold.
    """

    slots: int
    infantry: bool = False
    named: frozenset[str] = frozenset()
    shut_out: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()
    larger: tuple[tuple[str, int], ...] = ()
    in_part: bool = False

    def takes(self, unit: Unit, names: Iterable[str]) -> bool:
        """Whether the text lets a unit in that goes by these names."""
        own = [stem(name) for name in names]
        if any(_same_unit(name, own) for name in self.named):
            return True
        if not self.infantry and self.named:
            return False
        shut_out = any(unit.has_rule(rule) for rule in self.shut_out) or any(
            _same_unit(name, own) for name in self.without
        )
        return not shut_out and (unit.kind == "INF" or not self.infantry)

    def places_of(self, names: Iterable[str]) -> int | None:
        """Places that one unit of these names takes; None where the text does not say, which is one."""
        own = [stem(name) for name in names]
        return next((places for name, places in self.larger if _same_unit(name, own)), None)


def capacity(rules: Iterable[RuleState], names: Iterable[str]) -> Capacity | None:
    """The line about a carrier of one of these names in the visible rules about transport; None without one.

    A line of its own name comes first, then one of its kind: "Razorback" for a Razorback w/ Twin Lascannon, "Land
    Raider" for a Chaos Land Raider.
    """
    lines: dict[str, str] = {}
    for rule in rules:
        if rule.name.casefold().startswith("transport"):
            for line in rule.description.splitlines():
                head, colon, text = line.partition(":")
                if colon and head.strip():
                    lines.setdefault(stem(_BRACKETS.sub("", head)), text)
    called = [(stem(part), part) for name in names for part in (name, _BRACKETS.sub("", name), _ARMED.sub("", name))]
    kinds = [name.partition(" ")[2] for name, part in called if "," not in part]
    kinds += [kind.partition(" ")[2] for kind in kinds]
    said = next((lines[name] for name in (*(name for name, _ in called), *kinds) if name in lines), None)
    return None if said is None else _capacity(said)


_BRACKETS = re.compile(r"\([^)]{0,200}\)")
_ARMED = re.compile(r"\s(?:w/|with)\s.*")
_OFFER = re.compile(r"(?<!\d)(\d{1,4})\s+(.+?)(?=(?:[,;]\s{0,9})?\bor\s{1,9}(?:any\s{1,9})?\d|$)")
_LARGER = re.compile(r"(?<![^,;:()])([^,;:()]+)\(takes? (?:up )?(\d) ")
_TAKES = re.compile(
    r"(?<![^.,;])([^.,;]{1,200}(?:,[^.;]{1,200})?)\s(?:takes?|counts?|uses?)(?:\s{1,9}up)?(?:\s{1,9}as)?\s{1,9}"
    r"(\d|one|two|three|four)\b"
)
_BESIDES = re.compile(r"\b(\d{1,4}) ([^.,;]{1,120}?) (?:units? )?in addition\b")


def _capacity(text: str) -> Capacity | None:
    folded = text.casefold()
    main, *more = re.split(r"[.]\s*|\bplus\b|;\s*plus\b|\bmay carry\b", folded, maxsplit=1)
    offers = [(int(number), whom) for number, whom in _OFFER.findall(main.replace("any ", ""))]
    if not offers or any(re.match(r"(whole )?formation", whom) for _, whom in offers):
        return None
    slots = max(number for number, _ in offers)
    named: set[str] = set()
    without: set[str] = set()
    larger: dict[str, int] = {}
    infantry = False
    for number, offered in offers:
        whom = offered
        apart = re.search(r"\(?(?:except|not)\b(?: for)?([^)]*)\)?", whom)
        if apart:
            without |= set(_listed(apart[1]))
            whom = whom[: apart.start()] + whom[apart.end() :]
        any_infantry = re.search(r"\binfantry units?\b", whom) or whom.strip(" .") == "infantry"
        infantry = infantry or bool(any_infantry)
        for larger_one, places in _LARGER.findall(whom):
            larger |= dict.fromkeys(_listed(larger_one), int(places))
        names = set(_listed(re.sub(r"without.*|\([^)]*\)?", "", whom))) - set(FORBIDDEN)
        names -= {"infantry"} if any_infantry else set()
        named |= names
        if number < slots:
            larger |= dict.fromkeys(names, ceil(slots / number))
    for rest in more:
        for whom, number in _TAKES.findall(rest):
            larger |= dict.fromkeys(_listed(whom), NUMBERS.get(number) or int(number))
        besides = [part for _, part in _BESIDES.findall(rest)]
        larger |= dict.fromkeys((name for part in besides for name in _listed(part)), 0)
        instead = re.findall(r"\bunits? transported may be an? ([^.,;]+)", rest)
        if named:
            named.update(name for part in (*besides, *instead) for name in _listed(part))
    everything = re.fullmatch(r"units?", offers[0][1].strip())
    return Capacity(
        slots=slots,
        infantry=infantry,
        named=frozenset() if everything else frozenset(named),
        shut_out=frozenset(rule for word, names in FORBIDDEN.items() if word in folded for rule in names),
        without=frozenset(without - set(FORBIDDEN)),
        larger=tuple(larger.items()),
        in_part=bool(re.search(r"\bplus\b|in addition|may carry", folded)),
    )


def _listed(text: str) -> Iterator[str]:
    """Names in a list of units, as stems."""
    plain = re.sub(r"\b(of the following|any|units?|only|each|transported)\b:?", " ", text)
    for part in re.split(r",|/|&|\band\b|\bor\b", plain):
        found = stem(part) if part.strip(" :.()") else ""
        if found:
            yield found


def without_army(name: str, army: str) -> str:
    """A unit's name without the words it begins with that are its army list's: `Goff Boyz` of the Goff Klan."""
    own = set(stem(army).split())
    words = name.split()
    left = next((place for place, word in enumerate(words) if not set(stem(word).split()) <= own), len(words))
    return " ".join(words[min(left, len(words) - 1) :])


def _same_unit(folded: str, own: Iterable[str]) -> bool:
    """Whether a name in a text means a unit: "tactical" is the Tactical Squad, "bike" is not the Attack Bike.

    The number of its type is left out: "Stealth Suits" are an "XV15 Stealthsuit Team".
    """
    joined = folded.replace(" ", "")
    return any(joined in accumulate(words) for name in own for words in _beginnings(name))


def _beginnings(name: str) -> Iterator[list[str]]:
    words = name.split()
    yield words
    if len(words) > 1 and any(sign.isdecimal() for sign in words[0]):
        yield words[1:]


_DEMANDED = re.compile(r"\bmust (?:also )?include (?:an?|one) ([A-Z][^.,;]{1,60}?)(?= character\b| unit\b|[.,;]|$)")


def demanded(rules: Iterable[RuleState]) -> tuple[str, ...]:
    """Formations that an army list asks for in words: `a Mossinian army must include a Regimental HQ`.

    Of two names of which one is within the other, the longer.
    """
    found = dict.fromkeys(match[1] for rule in rules for match in _DEMANDED.finditer(rule.description))
    return tuple(name for name in found if not any(name != other and name in other for other in found))


class AskedShare(NamedTuple):
    """Formations that are at least this part of an army's."""

    part: Fraction
    formation: str


_PARTS = {"third": Fraction(1, 3), "quarter": Fraction(1, 4), "half": Fraction(1, 2)}
_ASKED_SHARE = re.compile(
    r"\bat least (?:a |one[- ])?(third|quarter|half) of the (?:detachments|formations)\b[^.]{0,60}? must be "
    r"([^.,;]{1,60}?) (?:detachments|formations)\b",
    re.IGNORECASE,
)


def asked_shares(rules: Iterable[RuleState]) -> tuple[AskedShare, ...]:
    """`At least a third of the detachments taken must be Tactical detachments` -> a third, Tactical."""
    found = (match for rule in rules for match in _ASKED_SHARE.finditer(rule.description))
    return tuple(dict.fromkeys(AskedShare(_PARTS[match[1].casefold()], match[2]) for match in found))


_SENTENCE = re.compile(r"[^.\n]+")
_SHARE_IN_WORDS = re.compile(r"\b(third|quarter)\b of (?:\S+ ){0,3}?(?:points|detachments|formations)\b", re.IGNORECASE)
_ONE_FOR_EACH = re.compile(r"\bmust include one additional [^.\n]{1,60} for (?:every|each) ", re.IGNORECASE)
_POINTS = re.compile(r"\bpoints\b", re.IGNORECASE)


def unread_shares(rules: Iterable[RuleState]) -> Iterator[tuple[str, str, str]]:
    """Shares of an army that a rule gives in words which nothing reads: its name, the sentence, the part's word.

    Sentence by sentence: looked for in a whole text, each of its letters would be one to begin with.
    """
    for rule in rules:
        for sentence in _SENTENCE.findall(rule.description):
            parts, each = _SHARE_IN_WORDS.findall(sentence), _ONE_FOR_EACH.search(sentence)
            is_share = parts or (each is not None and _POINTS.search(sentence, each.end()))
            if is_share and _ASKED_SHARE.search(sentence) is None:
                yield rule.name, sentence.strip(), (parts[-1] if parts else "").casefold()


class Wish(NamedTuple):
    """Where a lone character belongs by the text of his rule: with units of these names, else by what it says of them.

    Attributes:
        names: stems of units, any of which will do.
        largest: the formation with the most units.
        commander: the Supreme Commander's formation.
    """

    names: tuple[str, ...] = ()
    largest: bool = False
    commander: bool = False


_IN_THEM = re.compile(r"includes any ([^,.;]{1,60}), then\b[^.;]{0,120}\bplaced in one of them", re.IGNORECASE)
_JOINS = re.compile(
    r"\b(?:will|must|may) (?:then )?join (?:an? |the )?(?:units? of )?([^.;,]{1,60}?)(?= at the\b|[.;,]|$)",
    re.IGNORECASE,
)
_LARGEST = re.compile(r"\bformation (?:in the army )?with the most units\b", re.IGNORECASE)
_COMMANDER = re.compile(r"\bSupreme Commander[’']s (?:formation|company)\b", re.IGNORECASE)


def wishes(rules: Iterable[RuleState], character: str) -> tuple[Wish, ...]:
    """Where a character of this name belongs, in the order of the texts about him: `join a Nob unit or a Gargant`."""
    about = [rule.description for rule in rules if stem(character) in stem(rule.name)]
    found: list[Wish] = []
    for text in about:
        named = [match[1] for match in (*_IN_THEM.finditer(text), *_JOINS.finditer(text))]
        found += (Wish(names=tuple(_hosts(one))) for one in named if "any" not in one.casefold().split())
        if _LARGEST.search(text):
            found.append(Wish(largest=True))
        if _COMMANDER.search(text):
            found.append(Wish(commander=True))
    return tuple(dict.fromkeys(found))


def _hosts(text: str) -> Iterator[str]:
    for part in re.split(r"\bor\b|\band\b", text):
        if name := stem(re.sub(r"^\s*(?:an?|the)\s+", "", part.strip())):
            yield name


class Rolled(NamedTuple):
    """A number that is rolled, and what it is on average, rounded up."""

    dice: str
    average: int


_ROLLED = re.compile(r"((\d?)D([36])(?:\+(\d{1,2}))?)x? \D.*", re.IGNORECASE)


def rolled_number(name: str) -> Rolled | None:
    """`2D6+3x Plague Zombie Hordes` -> 2D6+3, 10; None for a name without dice. Power fields are no units."""
    found = _ROLLED.fullmatch(name.strip())
    if found is None:
        return None
    dice, sides, more = int(found[2] or 1), int(found[3]), int(found[4] or 0)
    return Rolled(found[1].upper(), ceil(dice * Fraction(sides + 1, 2)) + more)


def save_value(text: str) -> str | None:
    """The roll a rule's text grants, for Invulnerable Save: "a second save of 6+"; None without one."""
    found = re.search(r"(?<![\w+])([1-6]\+)", text)
    return found[1] if found else None
