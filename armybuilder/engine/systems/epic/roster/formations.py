"""Root selections of a roster seen as formations: units with counts and datasheets, characters, capacities.

Everything below a formation that shows a datasheet is a unit, however deep it stands; what only shows weapons arms the
unit above it. Numbers stand in the selection, in its name ("4x Scout Squads"), or in both.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as replace_fields
from types import MappingProxyType

from msgspec.structs import replace

from armybuilder.engine.points import written
from armybuilder.engine.roster.state import ForceState, ProfileState, RuleState, SelectionState
from armybuilder.engine.systems.epic.army import Character, Profile, Transport, Unit, Weapon, rule_name, rule_value
from armybuilder.engine.systems.epic.roster import recognition as read
from armybuilder.engine.systems.epic.roster import rule_texts
from armybuilder.engine.systems.roster_reading.counted_names import Counted, are_several, copies, counted
from armybuilder.engine.systems.roster_reading.notes import Unrecognised, ignored, say_missing
from armybuilder.engine.systems.roster_reading.parts import Part
from armybuilder.engine.systems.roster_reading.unit_reader import RosterUnit, UnitReader

INVULNERABLE = "invulnerable save"


@dataclass(frozen=True, slots=True)
class EpicUnit(RosterUnit[Unit]):
    """A unit of a formation with what the document does not say.

    Attributes:
        datasheet: name of its datasheet, which need not be the selection's.
        army: name of the army list it is from.
        carries: its datasheet says that it transports others; `capacity` is what the data says of whom.
    """

    datasheet: str = ""
    army: str = ""
    carries: bool = False
    capacity: rule_texts.Capacity | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """What texts may call it: Goff Boyz of the Goff Klan are Boyz."""
        told = (self.unit.name, self.datasheet)
        return tuple(dict.fromkeys((*told, *(rule_texts.without_army(name, self.army) for name in told))))

    @property
    def sorts(self) -> tuple[str, ...]:
        """What texts may call it or everybody of its type."""
        return (*self.names, "Light Vehicle") if self.unit.kind == "LV" else self.names


@dataclass(frozen=True, slots=True)
class ReadFormation:
    """A formation with the selections it was made of.

    Attributes:
        characters: each with its selection.
        node_ids: every selection in it.
        without_datasheet: units were chosen for it of which the data has no datasheet, as is said.
    """

    node: SelectionState
    force: ForceState
    points: int | float
    units: tuple[EpicUnit, ...]
    characters: tuple[tuple[Character, str], ...]
    node_ids: frozenset[str] = field(default_factory=frozenset)
    without_datasheet: bool = False

    @property
    def names(self) -> Iterator[str]:
        """Its own name, its section's where an option of it is called so, and its units'."""
        yield self.node.shown_name
        yield self.node.name
        for child in self.node.selections:
            if child.type == "upgrade" and not (child.profiles or child.rules or child.selections):
                yield child.name
        for read_unit in self.units:
            yield from read_unit.names


def formations(
    force: ForceState, *, points_type: str | None, unrecognised: Unrecognised, common: Mapping[str, str]
) -> Iterator[ReadFormation]:
    """The formations of a force, in the order players read them.

    What shows nothing but types that the rules do not have, a barrage or a building, is none, nor are fortifications:
    it is said as such.

    Args:
        common: texts of the rules that the game shares with every entry, by name.
    """
    for root in force.selections:
        if _is_formation(root):
            reader = FormationReader(root, force, points_type=points_type, unrecognised=unrecognised, common=common)
            made = reader.formation()
            if made.units or made.characters or not reader.has_unknown_types:
                yield made
        elif _is_lone(root):
            continue  # who joins a formation, if there is one
        elif (points_type is not None and root.total(points_type)) or any(unit_profiles(part) for part in root.walk()):
            unrecognised(
                root.id,
                f"{root.shown_name}: it stands in no formation and is not checked.",
                f"«{root.shown_name}»: не входит ни в одну формацию и не проверяется.",
            )


def lone_characters(
    force: ForceState, *, points_type: str | None, unrecognised: Unrecognised
) -> Iterator[ReadFormation]:
    """Who a force takes besides its formations, an Ork Warlord, Commissars or a Bikeboy, each selection by itself."""
    for root in force.selections:
        if not _is_formation(root) and _is_lone(root):
            yield FormationReader(root, force, points_type=points_type, unrecognised=unrecognised).formation()


def with_lone_characters(
    found: Sequence[ReadFormation], loose: Iterable[ReadFormation], host_of: Callable[[str], str | None]
) -> tuple[ReadFormation, ...]:
    """The formations with each lone character in one of them: where his host is, else the dearest that has none yet.

    Infantry comes before vehicles; what flies takes nobody. What he costs is paid by the formation he joins. [decision]
    Where the army list's text says whom he joins, a Nob or the Supreme Commander, that comes first. A lone unit, too.

    Args:
        host_of: selection of a character -> selection of his host, or of its formation, where the player states it.
    """
    joined = list(found)
    for lone in loose:
        wanted = rule_texts.wishes(lone.force.rules, lone.node.name)
        for character, node_id in lone.characters:
            place, host = _place_for(joined, host_of(node_id), wanted, character.name)
            own = replace(character, host=host) if host is not None and character.host is None else character
            joined[place] = _with(joined[place], lone, joined, characters=((own, node_id),))
        if lone.units:
            place, _ = _place_for(joined, host_of(lone.node.id))
            joined[place] = _with(joined[place], lone, joined, units=lone.units)
    return tuple(joined)


def _place_for(
    joined: Sequence[ReadFormation], host: str | None, wanted: Sequence[rule_texts.Wish] = (), name: str = ""
) -> tuple[int, str | None]:
    """The formation that somebody joins, and the unit in it that the army list's text means.

    Args:
        wanted: where he belongs by that text, the first first; no formation takes two of his name.
    """
    stated = next((place for place, other in enumerate(joined) if host in other.node_ids), None)
    if stated is not None:
        return stated, None
    order = sorted(range(len(joined)), key=lambda place: _reluctance(joined[place]))
    for wish in wanted:
        for place in sorted(order, key=lambda place: -_size(joined[place])) if wish.largest else order:
            formation = joined[place]
            if any(character.name == name for character, _ in formation.characters):
                continue
            if wish.largest or (wish.commander and _has_commander(formation)):
                return place, None
            for known in wish.names:
                unit = next((one.unit for one in formation.units if known in _stems(one)), None)
                if unit is not None:
                    return place, unit.id
    return order[0], None


def _stems(unit: EpicUnit) -> frozenset[str]:
    return frozenset(read.stem(name.partition(" (")[0]) for name in unit.names)


def _size(formation: ReadFormation) -> int:
    """Units, war engines by their starting damage capacity (L406)."""
    units = (one.unit for one in formation.units if one.unit.kind not in ("AC", "SC"))
    return sum(int(unit.count) * int(unit.starting_capacity) for unit in units)


def _has_commander(formation: ReadFormation) -> bool:
    ranks = (*(one.unit.rules for one in formation.units), *(one.rules for one, _ in formation.characters))
    return any(rule_name(rule) == "supreme commander" for rules in ranks for rule in rules)


def _with(
    host: ReadFormation,
    lone: ReadFormation,
    joined: Sequence[ReadFormation],
    *,
    units: tuple[EpicUnit, ...] = (),
    characters: tuple[tuple[Character, str], ...] = (),
) -> ReadFormation:
    """The host with these of a lone selection, which the first formation that it joins pays for."""
    first = not any(lone.node.id in one.node_ids for one in joined)
    return replace_fields(
        host,
        points=host.points + (lone.points if first else 0),
        units=(*host.units, *units),
        characters=(*host.characters, *characters),
        node_ids=host.node_ids | lone.node_ids,
    )


def _reluctance(formation: ReadFormation) -> tuple[bool, bool, bool, float]:
    kinds = {read.unit.kind for read in formation.units}
    return (
        not kinds or bool(kinds & {"AC", "SC"}),
        bool(formation.characters),
        "INF" not in kinds,
        -float(formation.points),
    )


def unit_profiles(node: SelectionState) -> list[ProfileState]:
    """The datasheets a selection shows."""
    return [profile for profile in node.profiles if read.is_datasheet(profile)]


def _is_formation(root: SelectionState) -> bool:
    """What shows a unit, or is one of some section and has none yet; gates, pools and options of the list are not."""
    if root.type in ("unit", "model") and root.primary_category is not None:
        return not _is_fortification(root)
    if root.type == "upgrade" and root.primary_category is None:
        return False  # a unit that formations take, kept for the whole list until one does
    return any(not _is_character(profile) for part in root.walk() for profile in unit_profiles(part))


def _is_fortification(root: SelectionState) -> bool:
    """Whether it shows structures and no unit, trenches or a portal; a platform may be a model with rules alone."""
    shown = [profile for part in root.walk() for profile in part.profiles]
    structure = any(profile.type_name == read.STRUCTURE_PROFILE for profile in shown)
    alone = root.type == "model" and not root.selections and bool(root.rules)
    return (structure or alone) and not any(map(read.is_datasheet, shown))


def _is_lone(root: SelectionState) -> bool:
    """Whether a selection shows characters, or a unit that is an upgrade; asked of one that is no formation."""
    shown = [profile for part in root.walk() for profile in unit_profiles(part)]
    return any(map(_is_character, shown)) or (root.type == "upgrade" and bool(unit_profiles(root)))


def _is_character(profile: ProfileState) -> bool:
    return read.unit_kind(profile.value("Type") or "").type == "CH"


class FormationReader(UnitReader):
    """Reads a formation with the units and characters in it."""

    is_model = staticmethod(read.is_datasheet)

    def __init__(
        self,
        root: SelectionState,
        force: ForceState,
        *,
        points_type: str | None,
        unrecognised: Unrecognised = ignored,
        common: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        super().__init__(Part(root, role=""), points_type=points_type, unrecognised=unrecognised)
        self.force = force
        self.common = common
        self.has_unknown_types = False
        self.without_datasheet = False
        self.units: list[EpicUnit] = []
        self.characters: list[tuple[Character, str]] = []

    def formation(self) -> ReadFormation:
        """The formation; what cannot be read is said."""
        self._read(self.node)
        return ReadFormation(
            node=self.node,
            force=self.force,
            points=written(self.part.points(self.points_type)),
            units=tuple(self.units),
            characters=tuple(self.characters),
            node_ids=self.ids,
            without_datasheet=self.without_datasheet,
        )

    def _read(self, node: SelectionState, host: str | None = None) -> None:
        say_missing(node, self.unrecognised)
        datasheets = self.model_rows(node)
        for count, name, profile in self._units_of(node, datasheets):
            kind = read.unit_kind(profile.value("Type") or "", profile.value("Speed") or "")
            if kind.type == "CH":
                rules = self._rules(node, profile)
                self.characters += [(Character(name=name, host=host, rules=rules), node.id)] * (count * node.number)
            elif kind.type not in read.TYPES.values():
                self.has_unknown_types = True
                self.say(
                    node,
                    f"the rules have no unit type “{kind.type}”; it is not checked",
                    f"в правилах нет типа юнита «{kind.type}», юнит не проверяется",
                )
            else:
                made = self._unit(node, profile, kind, name, count * node.number)
                self.units.append(made)
                host = made.unit.id
        if not datasheets and host is None and self._should_have_one(node):
            self.without_datasheet = True
            self.say(
                node,
                "the data shows no datasheet for it; it is not counted",
                "в данных нет его дата-карты, юнит не учтён",
            )
        for child in node.selections:
            self._read(child, host)

    def _should_have_one(self, node: SelectionState) -> bool:
        """Whether a selection without a datasheet looks like a unit; trenches have profiles of their own."""
        kinds = ("model",) if node is self.node else ("unit", "model")
        return node.type in kinds and not node.selections and not node.profiles

    # Units

    def _units_of(
        self, node: SelectionState, datasheets: list[ProfileState]
    ) -> Iterator[tuple[int, str, ProfileState]]:
        """Number, name and datasheet of each kind of unit a selection stands for."""
        if not datasheets:
            return
        if (rolled := rule_texts.rolled_number(node.name)) is not None:
            yield self._rolled(node, rolled, datasheets[0])
            return
        parts = _named_units(node.name)
        if len(parts) == 1:
            [(count, name)] = parts
            together = _together(name, datasheets)
            if together:
                for place, (piece, profile) in enumerate(together):
                    yield (1 if place else count), piece, profile
                return
            upgrades = [profile for profile in datasheets if _is_character(profile)]
            units = [profile for profile in datasheets if profile not in upgrades] or upgrades
            best = max(units, key=lambda profile: (self._is_meant(profile), _likeness(name, profile.name)))
            if len({profile.name for profile in units}) > 1 and not _likeness(name, best.name):
                self.unrecognised(
                    node.id,
                    f"{node.name}: it shows several datasheets; {best.name} is counted.",
                    f"«{node.name}»: показано несколько дата-карт, учтена «{best.name}».",
                )
            yield count, node.custom_name or name, best
            yield from ((count, profile.name, profile) for profile in upgrades if units is not upgrades)
            return
        left = list(datasheets)
        for count, name in parts:
            best = max(left or datasheets, key=lambda profile: _likeness(name, profile.name))
            if best in left:
                left.remove(best)
            yield count, name, best

    def _rolled(
        self, node: SelectionState, rolled: rule_texts.Rolled, profile: ProfileState
    ) -> tuple[int, str, ProfileState]:
        """Units whose number is rolled before the battle, as many as there are on average."""
        self.say(
            node,
            f"their number is rolled before the battle ({rolled.dice}); {rolled.average} are counted, the average",
            f"число бросается перед битвой ({rolled.dice}); учтено {rolled.average}, среднее",
        )
        return rolled.average, node.custom_name or node.name, profile

    def _is_meant(self, profile: ProfileState) -> bool:
        """Whether its name says in brackets whom it is for, "Boyz (Goff, Evil Sunz)", and the formation is theirs."""
        _, _, inside = profile.name.partition("(")
        whom = {read.stem(word) for word in inside.rstrip(") ").split(",") if word.strip()}
        return any(read.stem(node.name) in whom for node in self.own if node is not self.node)

    def _unit(
        self, node: SelectionState, profile: ProfileState, kind: read.UnitKind, name: str, count: int
    ) -> EpicUnit:
        first = not any(made.node_id == node.id for made in self.units)
        weapons, borne = _with_rules_of_the_unit(tuple(self._weapons(node, profile)))
        rules = tuple(dict.fromkeys((*self._rules(node, profile), *kind.notes, *borne)))
        transport = next((rule for rule in rules if rule_name(rule) == "transport"), None)
        holds = any(rule_name(rule) == "transport" for weapon in weapons for rule in weapon.rules)
        capacity = self._capacity(node, (name, node.name, profile.name))
        slots = int(value) if transport and (value := rule_value(transport) or "").isdecimal() else None
        if slots is None and capacity is not None:
            slots = capacity.slots
        shown_speed = profile.value("Speed") or ""
        unit = Unit(
            id=node.id if first else f"{node.id}:{name}",
            name=name,
            type=kind.type,
            count=count,
            profile=self._profile(node, profile, kind),
            rules=tuple(rule for rule in rules if rule is not transport),
            weapons=tuple(_without_transport(weapon) for weapon in weapons) if holds else weapons,
            aircraft_class=read.aircraft_class(shown_speed) if kind.type == "AC" else None,
            war_engine=kind.war_engine,
            transport=Transport(slots=slots) if slots is not None else None,
        )
        return EpicUnit(
            unit,
            node.id,
            frozenset((node.id,)),
            datasheet=profile.name,
            army=self.force.catalogue_name or "",
            carries=transport is not None or holds or slots is not None,
            capacity=capacity,
        )

    def _profile(self, node: SelectionState, profile: ProfileState, kind: read.UnitKind) -> Profile:
        values: dict[str, object] = {}
        for column in ("Armour", "CC", "FF"):
            text = profile.value(column) or ""
            value = read.target_number(text)
            values["armour" if column == "Armour" else column] = value
            if value is None:
                self._unreadable(node, profile, text)
        if kind.type != "AC":
            text = profile.value("Speed") or ""
            values["speed"] = read.speed(text)
            if values["speed"] is None:
                self._unreadable(node, profile, text)
        track = profile.value("DC") or ""
        if track.strip().casefold() not in read.NOTHING:
            values["DC"] = read.damage_track(track)
            if values["DC"] is None:
                self._unreadable(node, profile, track)
        elif kind.type == "WE" or kind.war_engine:
            self.say(
                node,
                "the data does not say how much damage it takes; it is not checked",
                "в данных не сказано, сколько повреждений она выдерживает; это не проверяется",
            )
        return Profile(**values)  # type: ignore[arg-type]

    def _rules(self, node: SelectionState, profile: ProfileState) -> tuple[str, ...]:
        return tuple(self._with_value(node, rule) for rule in read.rules(profile.value("Unit Notes") or ""))

    def _with_value(self, node: SelectionState, rule: str) -> str:
        """A save that the datasheet names without its roll, with the roll the rule's text grants."""
        if rule_name(rule) != INVULNERABLE or rule_value(rule) is not None:
            return rule
        told = [text.description for text in self._rule_texts(node) if rule_name(text.name) == rule_name(rule)]
        granted = map(rule_texts.save_value, (*told, self.common.get(rule_name(rule), "")))
        value = next((value for value in granted if value), None)
        return f"{rule} ({value})" if value else rule

    def _capacity(self, node: SelectionState, names: tuple[str, ...]) -> rule_texts.Capacity | None:
        """What a carrier takes, by the text as it is shown or as the game has it where another language was chosen."""
        shown = self._rule_texts(node)
        in_english = (replace(rule, description=self.common.get(rule.name.casefold(), "")) for rule in shown)
        return rule_texts.capacity(shown, names) or rule_texts.capacity(in_english, names)

    def _rule_texts(self, node: SelectionState) -> tuple[RuleState, ...]:
        return (*node.rules, *self.node.rules, *self.force.rules)

    def _weapons(self, node: SelectionState, datasheet: ProfileState) -> Iterator[Weapon]:
        for profile in (datasheet, *_weapon_profiles(node)):
            yield from self._armed(node, profile, 1)
        for child in _arms(node):
            each = max(1, child.number // max(1, node.number))
            shown = _weapon_profiles(child)
            apart = are_several(child.name, [profile.name for profile in shown]) if len(shown) > 1 else True
            choice = next((profile.name for profile in shown if read.is_choice_of_others(profile)), None)
            for profile in shown:  # a number before several is that of all of them together: "8x Support Missiles"
                pair = copies(child.name, profile.name) if apart else 1
                if profile.name != choice:
                    armed = self._armed(child, profile, each * pair)
                    yield from armed if choice is None else (read.as_one_way(weapon, choice) for weapon in armed)

    def _armed(self, node: SelectionState, profile: ProfileState, number: int) -> Iterator[Weapon]:
        for weapon, unread in read.weapons(profile):
            for text in unread:
                self._unreadable(node, profile, text)
            if unread and weapon.range is None:  # nobody knows how far it shoots
                continue
            rules = tuple(self._with_value(node, rule) for rule in weapon.rules)
            yield replace(weapon, count=weapon.count * number, rules=rules)

    def _unreadable(self, node: SelectionState, profile: ProfileState, text: str) -> None:
        self.unrecognised(
            node.id,
            f"{profile.name}: “{text.strip()}” is not recognised and not checked.",
            f"«{profile.name}»: «{text.strip()}» не распознано и не проверяется.",
        )


_ARMED_WITH = re.compile(r"\s{1,9}w/\s{0,9}(?=\d{1,4}x )[^,]*", re.IGNORECASE)


def _named_units(name: str) -> Sequence[Counted]:
    """The units of a name: "Mega Dread w/ 2x Rippa Klaw" is one, and what it is armed with."""
    return counted(_ARMED_WITH.sub("", name))


def _together(name: str, datasheets: Sequence[ProfileState]) -> list[tuple[str, ProfileState]]:
    """The units of a name that joins several, each with its own datasheet: "3x Ion Hammerhead, Skyray" are four tanks.

    Empty where it names one, or a part of it has no datasheet.
    """
    pieces = name.split(", ")
    if len(pieces) < 2 or len({profile.name for profile in datasheets}) < len(pieces):
        return []
    found: list[tuple[str, ProfileState]] = []
    for piece in pieces:
        left = [profile for profile in datasheets if all(profile is not known for _, known in found)]
        best = max(left, key=lambda profile: _likeness(piece, profile.name))
        if not _likeness(piece, best.name):
            return []
        found.append((piece, best))
    return found


def _weapon_profiles(node: SelectionState) -> list[ProfileState]:
    return [profile for profile in node.profiles if profile.type_name == read.WEAPON_PROFILE]


def _arms(node: SelectionState) -> Iterator[SelectionState]:
    """Selections below a unit that are no units themselves."""
    for child in node.selections:
        if not unit_profiles(child):
            yield child
            yield from _arms(child)


def _with_rules_of_the_unit(weapons: Sequence[Weapon]) -> tuple[tuple[Weapon, ...], tuple[str, ...]]:
    """The weapons, and the rules that stand on one and are those of its bearer.

    So are those of what is fired in no way, a gargant's head that makes it a Leader, and the saves of a shield. What a
    datasheet names and another row describes is left to that row.
    """
    idle = [weapon for weapon in weapons if weapon.range is None and weapon.firepower is None]
    heads = [weapon for weapon in idle if weapon.rules]
    fired = {weapon.name for weapon in weapons if weapon not in idle}
    named = [weapon for weapon in idle if any(read.is_weapon_called(weapon.name, name) for name in fired)]
    saves = (rule for weapon in weapons for rule in weapon.rules if rule_name(rule) == INVULNERABLE)
    borne = (*(rule for head in heads for rule in _told(head)), *saves)
    kept = tuple(weapon for weapon in weapons if weapon not in heads and weapon not in named)
    return kept, tuple(dict.fromkeys(borne))


_IN_THE_DATASHEET = re.compile(r"[+-]\d\s?(?:DC|CC|FF)|[+-]\d{1,2}cm speed", re.IGNORECASE)
"""What an upgrade does to its bearer's characteristics, which the data has changed already: `+1DC`, `+1CC, -1FF`."""


def _told(head: Weapon) -> Iterator[str]:
    """The rules of what is not fired, by its own name where they only say that it is special."""
    for rule in head.rules:
        if _IN_THE_DATASHEET.fullmatch(rule) is None:
            yield head.name if rule.casefold() == "special" else rule


def character_weapons(node: SelectionState) -> Iterator[Weapon]:
    """What a character brings to his host.

    One who is sold with it, "Gunwagon w/ Soopagun", has of several guns the one that the selection names, and none
    where the host's own datasheet has it.
    """
    sheets = unit_profiles(node)
    hosts = {weapon.name for sheet in sheets if not _is_character(sheet) for weapon, _ in read.weapons(sheet)}
    for sheet in sheets if any(map(_is_character, sheets)) else ():
        brought = [weapon for weapon, _ in read.weapons(sheet)] if _is_character(sheet) else []
        chosen = [weapon for weapon in brought if hosts and weapon.name in node.name] or brought
        if hosts.isdisjoint(weapon.name for weapon in chosen):
            yield from chosen


def _without_transport(weapon: Weapon) -> Weapon:
    """A weapon's rules without the places that an author wrote among them."""
    return replace(weapon, rules=tuple(rule for rule in weapon.rules if rule_name(rule) != "transport"))


def _likeness(name: str, other: str) -> float:
    """How many words two names share, the shorter other name before the longer."""
    mine, its = set(read.stem(name).split()), set(read.stem(other).split())
    return len(mine & its) / len(mine | its) if mine & its else 0.0
