"""What the models of a unit carry, as game data hangs it on them, before a game reads the words."""

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from armybuilder.engine.roster.state import ProfileState, SelectionState
from armybuilder.engine.systems.roster_reading.counted_names import are_several, copies, counted, is_same, words

MOST_OF_A_WEAPON = 20
"""Copies of one weapon that a single model may carry: a Manta has sixteen burst cannon; data with more is misread."""

CONDITIONAL = re.compile(
    r"\b(against|versus|vs\.?|whenever|when|if|while|until|once|phase|turn)(?=\W|$)", re.IGNORECASE
)
"""Words after which a description states something only under circumstances."""


_FOR_ALL = re.compile(r"\b(?:all|entire|whole|mob)\b|\(unit\)", re.IGNORECASE)
_FOR_ONE = re.compile(
    r"\b(?:one|two|three|any)\b(?! of (?:the|these|its)\b)|\(\d\)|\b\d+ in \d+\b|\bfor (?:every|each)\b"
    r"|\b(?:heavy|special)(?:/\w+)? weapon\b|\A\s*weapon\s*\Z",
    re.IGNORECASE,
)
"""Words in the names of groups that say whether a weapon of the unit is everybody's, or one model's each time."""

_SAYS_WHO = re.compile(r"\b(?:may|must|can|exchange|replace|take|given|weapons?)\b", re.IGNORECASE)
_GIVEN = re.compile(
    r"\b(?:exchange|replace)s?\s+(?P<both>both\s+)?(?:(?:of|its|their|his|her|the)\s+)*(?P<one>an?\s+)?"
    r"(?P<what>(?!either\b|one\b|any\b).{1,60}?)\s*(?:\b(?:for|with)\b|\bw/|:|\Z)",
    re.IGNORECASE,
)
"""What is given for something else: "Any model may exchange its Power Glaive for:", "both their Pistol and Maul"; "a
claw" is one of several."""

_PARTS = re.compile(r"\s{0,9}(?:,|&|/|\band\b|\bor\b)\s*", re.IGNORECASE)
_CHOICE = re.compile(r"/|\bor\b", re.IGNORECASE)
_MOUNT = re.compile(r"\b(pintle|hull|sponson|turret|centre?line|dorsal)\b", re.IGNORECASE)
"""Where on a tank a gun stands."""
_MORE = re.compile(r"(?:an )?(?:additional|second|extra)\b", re.IGNORECASE)
_WAY = re.compile(r"\s{0,9}[(:]|\s{1,9}[-–]\s+")
"""What stands between the name of a weapon and that of a way to use it."""


Most = Callable[[str], int | None]
"""How many of a selection, by its id, the data allows beside it; None for any number."""


def unlimited(selection_id: str) -> None:
    """The `Most` of those who do not know."""


Untouched = Callable[[str], Iterable[tuple[str, str, tuple[ProfileState, ...]]]]
"""Defaults of the groups in a selection, by its id, of which nothing was taken: the group, its default, its rows."""


def none_untouched(selection_id: str) -> tuple[()]:
    """The `Untouched` of those who do not know."""
    return ()


Exchanged = Callable[[str], Iterable[tuple[ProfileState, ...]]]
"""Rows of defaults of the groups in a selection, by its id, in whose place something else was taken."""


def none_exchanged(selection_id: str) -> tuple[()]:
    """The `Exchanged` of those who do not know."""
    return ()


Known = Callable[[str], tuple[ProfileState, ...]]
"""The rows of a selection that has none, by its name alone."""


def nothing_known(name: str) -> tuple[ProfileState, ...]:
    """The `Known` of games without facts of their own."""
    return ()


Key = tuple[str, ...]
"""What tells a weapon from others: the names of its profiles."""


def key_of(profiles: Iterable[ProfileState]) -> Key:
    """The key of the weapon with these profiles."""
    return tuple(profile.name.strip().casefold() for profile in profiles)


class Arms(NamedTuple):
    """A weapon in the hands of models of one kind; `bearers` None is all of them.

    Attributes:
        chosen: the name of the selection that was chosen, which may stand around the weapon's own.
    """

    bearers: int | None
    name: str
    profiles: tuple[ProfileState, ...]
    chosen: str = ""


class CarriedWeapon(NamedTuple):
    """A weapon that somebody took.

    Attributes:
        number: how often it was taken.
        name: the selection's.
        profiles: ways to use it, one at a time.
        copies: how many such weapons one of it is, as its name says: 2 for "2x Heavy Bolters".
        shared_out: taken once it is one weapon, not one for each: the gun that its crew stands around.
        one_model: taken once it is one model's, as the data allows several or says so.
        holders: what the groups around it say of who may take it; empty where they say nothing.
        added: it comes besides the same weapon.
        taken: the id of the selection that was chosen: of "Combi-bolter and Power Fist" that around both.
        chosen: its name.
    """

    number: int
    name: str
    profiles: tuple[ProfileState, ...]
    copies: int = 1
    shared_out: bool = False
    one_model: bool = False
    holders: str = ""
    added: bool = False
    taken: str = ""
    chosen: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """What it may be called: as it was chosen, and as its profiles are."""
        return (self.name, *(profile.name for profile in self.profiles))

    @property
    def key(self) -> Key:
        """What tells it from other weapons."""
        return key_of(self.profiles)

    def borne_by(self, bearers: int | None) -> Arms:
        """The weapon in the hands of so many models of a kind, or of all."""
        return Arms(bearers, self.name, self.profiles, self.chosen or self.name)


@dataclass(slots=True)
class Gear:
    """What hangs on models of one kind, or on the whole unit.

    Attributes:
        bare: names of selections that the data says nothing more about.
    """

    weapons: list[CarriedWeapon] = field(default_factory=list)
    wargear: list[ProfileState] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    bare: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Crowd:
    """Models of one selection; `profile` is None when the data shows none.

    Attributes:
        is_gun: a gun with a crew beside it: weapons of the unit are its own, and the crew's only where they fit.
        gave: weapons in whose place they chose others: they do not carry those of the unit either.
    """

    name: str
    count: int
    profile: ProfileState | None
    gear: Gear
    is_gun: bool = False
    gave: frozenset[Key] = frozenset()

    def has(self, weapon: CarriedWeapon) -> bool:
        """Whether the models carry that weapon themselves; what is mounted elsewhere is another."""
        return any(own.key == weapon.key and not _apart_by_mount(own, weapon) for own in self.gear.weapons)

    def takes(self, weapon: CarriedWeapon) -> bool:
        """Whether one of the unit's is for them too, as far as what they chose tells."""
        return weapon.added or not (self.has(weapon) or weapon.key in self.gave)


@dataclass(slots=True)
class Loadout:
    """A unit: its models, and what belongs to all of them.

    Attributes:
        gave: weapons in whose place the unit chose others.
    """

    crowds: list[Crowd]
    shared: Gear
    gave: frozenset[Key] = frozenset()

    def was_given(self, weapon: str) -> bool:
        """Whether others were chosen in the place of a weapon with a profile of this name."""
        keys = (key for gave in (self.gave, *(crowd.gave for crowd in self.crowds)) for key in gave)
        return any(weapon.strip().casefold() in key for key in keys)

    @property
    def models(self) -> int:
        """Models in the unit."""
        return sum(crowd.count for crowd in self.crowds)

    def carried(self, crowd: Crowd) -> Iterator[Arms]:
        """Weapons of the models of one kind; a weapon that each has twice comes twice.

        Weapons of the whole unit arm every model that has none of the sort itself, when there are enough of them, else
        so many of one kind: of that which numbers so many, or of the largest. Who took something "in exchange for" a
        weapon does not carry that one.
        """
        held = list(self._held(crowd))
        given = [(weapon, text) for weapon, _ in held for text in (weapon.holders, weapon.name) if _GIVEN.search(text)]
        less: set[Key] = set()
        for weapon, arms in held:
            gone, is_both = self._exchanged(crowd, weapon, given, held) if given else (0, False)
            if gone and not is_both:  # of two of a kind one goes
                gone = 0 if weapon.key in less else gone
                less.add(weapon.key)
            bearers = (crowd.count if arms.bearers is None else arms.bearers) - gone
            if bearers > 0:
                yield arms if gone <= 0 else arms._replace(bearers=bearers)

    def _exchanged(
        self,
        crowd: Crowd,
        weapon: CarriedWeapon,
        given: Sequence[tuple[CarriedWeapon, str]],
        held: Sequence[tuple[CarriedWeapon, Arms]],
    ) -> tuple[int, bool]:
        """How many models gave that weapon away for others, and whether each gave both that he had.

        What is got in exchange is not given for something else; nor is a weapon for what it is itself chosen among.
        """
        own = {other.key: other for other, _ in held}.values()
        if _GIVEN.search(weapon.holders) and not _gives(weapon.holders, weapon, own):
            return 0, False
        among = {weapon.name, *(one.holders for one, _ in held if one.key == weapon.key)}
        about = [(other, text) for other, text in given if text not in among and _gives(text, weapon, own)]
        if [one.key for one, _ in held].count(weapon.key) < 2:
            about = [(other, text) for other, text in about if not _is_of_several(text)]
        wanted = {other.key for other, _ in about} - {weapon.key}
        if not wanted:
            return 0, False
        for_all = {other.key for other, arms in held if arms.bearers is None}
        frames = {
            other.taken: crowd.count if other.key in for_all else other.number
            for other in (*crowd.gear.weapons, *self.shared.weapons)
            if other.key in wanted
        }
        both = any(found["both"] for _, text in about if (found := _GIVEN.search(text)))
        return min(crowd.count, sum(frames.values())), both

    def _held(self, crowd: Crowd) -> Iterator[tuple[CarriedWeapon, Arms]]:
        for weapon in crowd.gear.weapons:
            each = min(weapon.number // crowd.count, MOST_OF_A_WEAPON)
            arms = weapon.borne_by(None if each else weapon.number)
            yield from [(weapon, arms)] * (max(1, each) * weapon.copies)
        issued = list(self._issued())
        for weapon in issued:
            bearers = self._bearers(weapon)
            if not any(one is crowd for one in bearers):
                continue
            share = self._share(weapon, crowd, bearers, issued)
            if share is not None:
                if share:
                    arms = weapon.borne_by(None if share == crowd.count else share)
                    yield from [(weapon, arms)] * weapon.copies
                continue
            total = sum(one.count for one in bearers)
            for_all = weapon.number == 1 and not (weapon.shared_out or weapon.one_model)
            if for_all or weapon.number >= total:
                each = max(1, min(weapon.number // total, MOST_OF_A_WEAPON))
                yield from [(weapon, weapon.borne_by(None))] * (each * weapon.copies)
                continue
            alone = weapon.one_model and weapon.number == 1  # not the leader's, unless it is said
            fitting = [one for one in bearers if one.count == weapon.number and not alone]
            if crowd is (fitting or [max(bearers, key=lambda one: one.count)])[0]:
                held = None if crowd.count <= weapon.number else weapon.number
                yield from [(weapon, weapon.borne_by(held))] * weapon.copies

    def _share(
        self, weapon: CarriedWeapon, crowd: Crowd, bearers: Sequence[Crowd], issued: Sequence[CarriedWeapon]
    ) -> int | None:
        """How many of these models have it where everybody chose one of several: as many as are left for them.

        None where not all have chosen, or nothing says that they choose.
        """
        chosen = sorted((one for one in issued if one.holders == weapon.holders), key=lambda one: -one.number)
        models = sum(one.count for one in bearers)
        if not weapon.holders or len(chosen) < 2 or len(bearers) < 2 or sum(one.number for one in chosen) != models:
            return None
        if any([id(one) for one in self._bearers(other)] != [id(one) for one in bearers] for other in chosen):
            return None
        before = sum(one.number for one in chosen[: chosen.index(weapon)])
        ranked = sorted(bearers, key=lambda one: -one.count)
        place = next(place for place, one in enumerate(ranked) if one is crowd)
        first = sum(one.count for one in ranked[:place])
        return max(0, min(before + weapon.number, first + crowd.count) - max(before, first))

    def _issued(self) -> Iterator[CarriedWeapon]:
        """The weapons of the unit; one that several selections name for the several models of a unit is one weapon."""
        if self.models == 1:
            yield from self.shared.weapons
            return
        alike: dict[Key, list[CarriedWeapon]] = {}
        for weapon in self.shared.weapons:
            alike.setdefault(weapon.key, []).append(weapon)
        for found in alike.values():
            once = all(weapon.number == 1 and not weapon.one_model for weapon in found)
            number = 1 if once else sum(weapon.number for weapon in found)
            said = {weapon.holders for weapon in found}
            yield found[0]._replace(
                number=number,
                copies=max(weapon.copies for weapon in found),
                one_model=any(weapon.one_model for weapon in found),
                holders=said.pop() if len(said) == 1 else "",
            )

    def _bearers(self, weapon: CarriedWeapon) -> list[Crowd]:
        """Who may have a weapon of the unit: those whom its groups name, where they name some."""
        free = [one for one in self.crowds if one.takes(weapon)]
        named = [one for one in free if _is_named(one.name, weapon.holders)]
        longest = [
            one for one in named if not any(one.name != other.name and one.name in other.name for other in named)
        ]
        return longest or [one for one in free if self._may_bear(one, weapon)]

    def _may_bear(self, crowd: Crowd, weapon: CarriedWeapon) -> bool:
        """Whether it is for these models: a battery's weapon is fired by its guns, not by each of the crew."""
        guns = sum(one.count for one in self.crowds if one.is_gun)
        crew = self.models - guns
        if not guns or not crew:
            return True
        is_crews = weapon.number == crew != guns or guns < weapon.number <= crew
        return crowd.is_gun != is_crews


def _gives(text: str, weapon: CarriedWeapon, own: Iterable[CarriedWeapon]) -> bool:
    """Whether a text lets models give that weapon for another; of "sword or axe" the one that they have.

    Args:
        own: the weapons they have, each once.
    """
    found = _GIVEN.search(text)
    if found is None:
        return False
    parts = _PARTS.split(found["what"])
    named = [one for one in own if any(is_same(part, name) for part in parts for name in one.names)]
    is_choice = _CHOICE.search(found["what"]) is not None
    return weapon in named and not (is_choice and len(named) > 1)


def _is_of_several(text: str) -> bool:
    found = _GIVEN.search(text)
    return found is not None and found["one"] is not None


def _is_named(name: str, text: str) -> bool:
    """Whether a text names these models, in the singular or the plural."""
    one, said = name.casefold().removesuffix("s"), text.casefold()
    return one != "" and one in said and re.search(rf"\b{re.escape(one)}s?\b", said) is not None


def _apart_by_mount(one: CarriedWeapon, other: CarriedWeapon) -> bool:
    """Whether one is a pintle's, say, and the other a sponson's."""
    mounts = [_MOUNT.search(weapon.name) for weapon in (one, other)]
    return all(mounts) and len({found[1].casefold() for found in mounts if found}) > 1


def alike(crowds: Iterable[Crowd]) -> list[Crowd]:
    """The same, with those as one who differ in nothing but their number and carry no weapons of their own."""
    found: dict[object, Crowd] = {}
    for place, crowd in enumerate(crowds):
        gear = crowd.gear
        rows = tuple(profile.id for profile in gear.wargear)
        shown = crowd.profile.characteristics if crowd.profile is not None else None
        key = (crowd.name, shown, crowd.is_gun, crowd.gave, rows, tuple(gear.rules), tuple(gear.bare))
        known = found.setdefault(place if gear.weapons else key, crowd)
        if known is not crowd:
            known.count += crowd.count
    return list(found.values())


def models_in(selection: SelectionState) -> int:
    """How many models a selection of models is: as often as it was taken, each time as many as its name says."""
    return selection.number * counted(selection.name)[0].number


def gear_of(
    selections: Iterable[SelectionState],
    *,
    is_weapon: Callable[[ProfileState], bool],
    is_wargear: Callable[[ProfileState], bool],
    times: int = 1,
    most: Most = unlimited,
    known: Known = nothing_known,
    gave: Container[Key] = frozenset(),
) -> Gear:
    """What some selections say themselves; rules that hang on a weapon explain its profile, which names them.

    Args:
        times: how many models each number stands for, where the name of a row says that it is several.
        most: how many of a selection, by its id, the data allows beside it; None for any number.
        known: rows of selections of which the data has the name alone.
        gave: weapons in whose place others were chosen: what wargear names of them is gone too.
    """

    def bears(selection: SelectionState) -> bool:
        """Whether it shows who bears its weapons: "Two Gun Drones" on a tank."""
        return any(not is_weapon(profile) and not is_wargear(profile) for profile in selection.profiles)

    gear = Gear()
    taken = [selection for selection in selections if selection.number > 0]
    above = {child.id: selection for selection in taken for child in selection.selections}
    nested: list[int] = []
    for selection in taken:
        named = (
            known(selection.name) if selection is not taken[0] and not (selection.profiles or selection.rules) else ()
        )
        rows = selection.profiles or named
        shown = tuple(profile for profile in rows if is_weapon(profile))
        around = above.get(selection.id)
        if around is not None and any(is_weapon(profile) for profile in around.profiles):
            around = None
        within = around if around is not None and around is not taken[0] else None
        framed = within if within is not None and _is_frame(within) else selection
        named_models = around is taken[0] and times > 1  # "2x Blade Slaves" are no two blades each
        found = list(_apart(selection, shown))
        is_gear = selection is not taken[0] and not bears(selection)
        said_twice = _says_its_number_twice(selection, found) if is_gear else 1
        for profiles in found:
            stands_for = counted(selection.name)[0].number if selection is not taken[0] and bears(selection) else 1
            weapon = CarriedWeapon(
                selection.number * times // said_twice,
                selection.name,
                profiles,
                max(_copies(selection, None if named_models else around, profiles[0].name), stands_for),
                selection is not taken[0] and any(child.type == "model" for child in selection.selections),
                _is_for_one(framed, most(framed.id)),
                _holders(selection, framed),
                _MORE.match((around or selection).name) is not None,
                framed.id,
                within.name if within is not None and not within.profiles else selection.name,
            )
            if around is not None and any(is_wargear(profile) for profile in around.profiles):
                nested.append(len(gear.weapons))
            gear.weapons.append(weapon)
        if not shown or selection.type != "upgrade":
            gear.rules += [rule.name.strip() for rule in selection.rules if rule.name.strip() not in gear.rules]
        if selection.profiles or selection.number >= taken[0].number:  # a shield by name alone, as all of them have it
            gear.wargear += [profile for profile in rows if is_wargear(profile)]
        if selection.type == "upgrade" and not (rows or selection.rules or selection.selections):
            gear.bare.append(selection.name)
    gear.weapons = list(_with_ways_joined(_named_once(gear.weapons, nested, gave)))
    return gear


def given_by_nobody(
    selection: SelectionState, untouched: Untouched, is_weapon: Callable[[ProfileState], bool]
) -> Iterator[CarriedWeapon]:
    """What a selection would give in an exchange that was not made, where nothing but the exchange names it."""
    for group, name, rows in untouched(selection.id):
        found = _GIVEN.search(group)
        shown = tuple(row for row in rows if is_weapon(row))
        given = words(found["what"]) if found is not None else frozenset()
        if shown and any(words(called) <= given for called in (name, *(row.name for row in shown))):
            yield CarriedWeapon(selection.number, name, shown)


def _named_once(weapons: list[CarriedWeapon], nested: Container[int], gave: Container[Key]) -> list[CarriedWeapon]:
    """Without those that wargear names again, at the places `nested`: a bike names its guns, and so may its rider.

    Nor those that were given for others: the bolters of bikes that have flamers.
    """
    plain = Counter[Key]()
    for index, weapon in enumerate(weapons):
        plain[weapon.key] += 0 if index in nested else weapon.number
    return [
        weapon
        for index, weapon in enumerate(weapons)
        if index not in nested or (weapon.number > plain[weapon.key] and weapon.key not in gave)
    ]


def _is_for_one(selection: SelectionState, most: int | None) -> bool:
    """Whether a weapon of the unit that was taken once is one model's, not everybody's."""
    if most is not None and most > 1:
        return True
    texts = (selection.name, *reversed(selection.group_path))
    if counted(selection.name)[0].number > 1:  # "Two Bolt Pistols" may be each model's: first what is said of them
        texts = (*texts[1:], texts[0])
    for text in texts:
        if _FOR_ALL.search(text):
            return False
        if _FOR_ONE.search(text):
            return True
    return False


def _is_frame(selection: SelectionState) -> bool:
    """Whether an option only stands around others, and around no models."""
    return selection.type == "upgrade" and all(part.type == "upgrade" for part in selection.walk())


def _holders(selection: SelectionState, framed: SelectionState) -> str:
    """The innermost group that says what is given for it; where none does, that which says who may take the frame."""
    own = reversed(selection.group_path)
    groups = [text for text in reversed(framed.group_path) if _SAYS_WHO.search(text)]
    return next((text for text in (*own, *groups) if _GIVEN.search(text)), groups[0] if groups else "")


def _with_ways_joined(weapons: list[CarriedWeapon]) -> Iterator[CarriedWeapon]:
    """The same with ways to use a weapon that were taken as selections of their own, "Cannon - AP", "Cannon - HE"."""
    ways: dict[object, list[CarriedWeapon]] = {}
    for index, weapon in enumerate(weapons):
        name, dash, _ = weapon.profiles[0].name.partition(" - ")
        of_one = dash and len(weapon.profiles) == 1
        ways.setdefault((name, weapon.number, weapon.copies) if of_one else index, []).append(weapon)
    for found in ways.values():
        several = len({weapon.key for weapon in found}) > 1
        if several:
            yield found[0]._replace(profiles=tuple(profile for weapon in found for profile in weapon.profiles))
        else:
            yield from found


def _apart(selection: SelectionState, profiles: tuple[ProfileState, ...]) -> Iterator[tuple[ProfileState, ...]]:
    """The weapons of one selection: one with all its profiles, unless the name lists several.

    A model or a unit is no weapon: what it shows itself are as many as have names of their own.
    """
    if len(profiles) > 1 and are_several(selection.name, [profile.name for profile in profiles]):
        yield from ((profile,) for profile in profiles)
    elif selection.type != "upgrade":
        ways: dict[str, list[ProfileState]] = {}
        for profile in profiles:
            ways.setdefault(_WAY.split(profile.name)[0].strip().casefold(), []).append(profile)
        yield from map(tuple, ways.values())
    elif profiles:
        yield profiles


def _says_its_number_twice(selection: SelectionState, weapons: Sequence[object]) -> int:
    """How many of a selection are one: two "Gorefather & Gorechild" are one of each, two "Two Talons" a pair."""
    amount = selection.amount
    if amount > 1 and (amount == len(weapons) or amount == counted(selection.name)[0].number):
        return amount
    return 1


def _copies(selection: SelectionState, around: SelectionState | None, weapon: str) -> int:
    """How many of the weapon a selection is by its name, or by that of the selection it stands in."""
    own = max(copies(selection.name, weapon), 2 if _is_pair_of_sponsons(selection, weapon) else 1)
    if own > 1 or around is None:
        return own
    stated = copies(around.name, weapon)
    return stated if selection.number < around.number * stated else 1


def _is_pair_of_sponsons(selection: SelectionState, weapon: str) -> bool:
    """Whether it is a gun on either side: "Lascannons" in the group "Sponson Weapons", anything in "Two Sponsons"."""
    group = selection.group_path[-1] if selection.group_path else ""
    if "sponson" not in group.casefold():
        return False
    plural = selection.name.casefold().endswith("s") and not weapon.casefold().endswith("s")
    return plural or counted(group)[0].number > 1


def rows_left_out(
    selections: Iterable[SelectionState], of_kind: Callable[[ProfileState], bool], used: Container[str]
) -> Iterator[str]:
    """Names of the rows of one kind that nothing of a fighter was made of.

    Args:
        used: names of the rows that something was made of; the same row often stands in several places.
    """
    for selection in selections:
        if selection.number > 0:
            yield from (row.name for row in selection.profiles if of_kind(row) and row.name not in used)


def plain_parts(text: str) -> Iterator[tuple[str, bool]]:
    """Of each sentence of a description the part that holds unconditionally, and whether that is all of it."""
    for sentence in re.split(r"(?<=[.;])(?<!\bvs\.)\s+", text):
        part = CONDITIONAL.split(sentence)[0]
        yield part, part == sentence
