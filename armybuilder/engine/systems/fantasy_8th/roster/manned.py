"""Machines, chariots and monsters of a roster with those who serve, drive and draw them, each with what is theirs."""

import re
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from msgspec.structs import replace

from armybuilder.engine.roster.state import ProfileState, SelectionState
from armybuilder.engine.systems.fantasy_8th.army import CHARACTER_CATEGORIES, Profile, TroopType
from armybuilder.engine.systems.fantasy_8th.combat.weapons import is_missile, named
from armybuilder.engine.systems.fantasy_8th.matchup import ListedCrew, ListedGroup, ListedWeapon, Mount
from armybuilder.engine.systems.fantasy_8th.reference import folded
from armybuilder.engine.systems.fantasy_8th.roster import recognition as read
from armybuilder.engine.systems.fantasy_8th.roster.selections import CREW, weapon_shown
from armybuilder.engine.systems.fantasy_8th.roster.units import Figure, RegimentReader
from armybuilder.engine.systems.fantasy_8th.roster.weapon_rows import (
    Carried,
    carried,
    in_use,
    several,
    weapon_of,
    weapons_in_rules,
)
from armybuilder.engine.systems.roster_reading.counted_names import copies, counted

SCYTHES = "scythes"
HANDLERS = frozenset({"monster and handlers", "monsters and handlers"})
"""The rule of monsters whose handlers take wounds for them (L521-L528)."""

_CREW_IN_WORDS = re.compile(r"is a war machine with (\w+ crew)\b", re.IGNORECASE)
"""How errata that the data quotes give the number of a crew."""


_FOR_COMBAT = ("combat", "close combat", "cc", "-", "–", "")
_SCALES = re.compile(r"(?:scaly skin|natural armou?r)\b", re.IGNORECASE)
_EVERY_CHARIOT_HAS = re.compile(r"impact hits\s*\(D6\)", re.IGNORECASE)


class Row(NamedTuple):
    """A row of crew or beasts: how many they are in all, and the selection that holds it."""

    number: int
    profile: ProfileState
    node: SelectionState


class MannedReader(RegimentReader):
    """Reads a unit with its weapons and rules, and what stands on or before a machine, chariot or monster."""

    # Rules

    def own_rules(self, *more: str, figure: Figure | None = None) -> tuple[str, ...]:
        """Rules of the models themselves; those of their mounts and of figures that fight apart stand elsewhere.

        Args:
            figure: whose they are, where others stand beside him.
        """
        apart = {one.node.id for one in self.lone_figures()} | self._mount_ids
        apart |= self._on_others(figure) if figure is not None else frozenset()
        elsewhere = {read.rule_name(rule.name) for node in self.own if node.id in apart for rule in node.rules}
        here = {read.rule_name(rule.name) for node in self.own if node.id not in apart for rule in node.rules}
        armed = {weapon.name for weapon in self._ruled_weapons}
        found = [rule for rule in self._rules() if rule in here or rule not in elsewhere]
        found = [rule for rule in found if not read.wizard_level(rule)]
        return (*(rule for rule in found if rule not in armed), *more)

    def mount_rules(self) -> tuple[str, ...]:
        """Rules of what is ridden or draws."""
        return _rules_of(node for node in self.own if node.id in self._mount_ids)

    def lone_figures(self) -> list[Figure]:
        """Figures that are bought with the unit but fight apart from it."""
        if all(figure.type in (None, "unique") for figure in self.figures):
            return []
        return [figure for figure in self.figures if figure.type == "unique"]

    # Weapons

    @cached_property
    def _ruled_weapons(self) -> tuple[ListedWeapon, ...]:
        return tuple(weapons_in_rules(rule for node in self.own for rule in node.rules))

    def arms(self, figure: Figure) -> tuple[Carried, ...]:
        """Weapons of a model, special ones first: its own, and what hangs on nobody."""
        elsewhere = self._on_others(figure)
        rows: dict[str, ProfileState] = {}
        hidden: set[str] = set()
        for node in self.own:
            for row in node.profiles:
                if row.type_name == read.WEAPON:
                    name = weapon_shown(node, row)
                    hidden.add(name)
                    if node.id not in elsewhere and self._owner(node, row) in (None, figure):
                        rows.setdefault(name, row)
        names = (name for name in self._weapons(self._rules()) if name in rows or name not in hidden)
        return in_use((*(carried(name, rows.get(name)) for name in names), *self._ruled_weapons))

    def _owner(self, node: SelectionState, row: ProfileState) -> Figure | None:
        """Whose bow it is, of several characters on one selection: whom its name or its words name, else the others'.

        None where nobody is named, or where it is no bow: then each of them has it.
        """
        twins = [figure for figure in self.figures if figure.node is node]
        if len(twins) < 2 or not read.is_shot(row):
            return None
        for text in (row.name, row.value("Special Rules") or ""):
            named_in = [figure for figure in twins if figure.profile.name in text]
            if named_in:
                return named_in[0]
        bows = (one for one in node.profiles if one is not row and read.is_shot(one))
        taken = [self._owner(node, one) for one in bows if any(twin.profile.name in _words(one) for twin in twins)]
        left = [twin for twin in twins if twin not in taken]
        return left[0] if taken and left else None

    def with_book_weapons(self, group: ListedGroup) -> ListedGroup:
        """A character with the magic weapons that his army book prints, which are used before ordinary ones.

        Source: L454-460, L768-770 [text].
        """
        printed = (
            weapon_of(read.without_remarks(row.name), row)
            for node in self._magic_weapons
            for row in node.profiles
            if _is_plain_weapon(row)
        )
        found = tuple(replace(weapon, rules=(*weapon.rules, "Magical Attacks")) for weapon in printed)
        strikes = any(not is_missile(weapon) for weapon in found)
        ordinary = (weapon for weapon in group.weapons if not strikes or is_missile(weapon))
        return replace(group, weapons=(*found, *ordinary))

    def is_wielded(self, item: str) -> bool:
        """Whether an item is a magic weapon of the army book in a character's hands."""
        is_character = self.category in CHARACTER_CATEGORIES
        return is_character and any(read.without_remarks(node.name) == item for node in self._magic_weapons)

    @cached_property
    def _magic_weapons(self) -> tuple[SelectionState, ...]:
        """Items with a row of a weapon that the rulebook does not have."""
        return tuple(
            node
            for node in self.own
            if node.id in self._item_ids and read.common_item(node.name) is None
            if any(map(_is_plain_weapon, node.profiles))
        )

    def _on_others(self, figure: Figure) -> frozenset[str]:
        """Ids of the selections of those who stand beside a model, and are no mounts."""
        beside = [other.node for other in self.figures if other is not figure and other not in self.ridden]
        held = ({part.id for part in node.walk()} for node in beside if node is not self.node)
        return frozenset(part for parts in held if figure.node.id not in parts for part in parts)

    def _arms_on(self, nodes: Iterable[SelectionState], machine: str = "") -> tuple[Carried, ...]:
        """Weapons on some selections, magic ones and those of command left out."""
        rows: dict[str, tuple[ProfileState, int]] = {}
        for node in nodes:
            if node.id in self._item_ids | self._command_ids:
                continue
            for row in node.profiles:
                if row.type_name == read.WEAPON and not _is_of_impact(row):
                    rows.setdefault(weapon_shown(node, row), (row, copies(node.name, row.name)))
        return tuple(several(carried(name, row, machine=machine), number) for name, (row, number) in rows.items())

    # Machines, chariots, monsters

    def heavy(self, body: ProfileState, kind: TroopType, count: int) -> ListedGroup:
        """A machine with its crew, a chariot with crew and steeds, or a monster."""
        crews, steeds = self._crews_and_steeds(body, kind, count)
        group = ListedGroup(
            name=body.name,
            count=count,
            troop_type=kind,
            profile=read.profile_of(body),
            magic_items=tuple(self._items()[0]),
            rules=self._with_scythes(self.own_rules(*random_attacks(body.value("A")))),
            mount=self._team(steeds, count),
        )
        group = with_scales(group)
        drawing = frozenset(row.node.id for row in steeds) - {self.node.id}
        manned = self._manned(group, body, crews, drawing | self._mount_ids)
        if HANDLERS.isdisjoint(map(folded, manned.rules)):
            return manned
        return replace(manned, handlers=sum(row.number for row in crews) or None)

    def beside(self, figure: Figure) -> ListedCrew | None:
        """Who fights from a character's side without Wounds of their own: thronebearers, a squig on a chain."""
        rows = [
            Row(_row_count(other.node, other.profile, 1), other.profile, other.node)
            for other in self.figures
            if other is not figure and other not in self.ridden and read.number(other.profile.value("T")) is None
        ]
        return self._crew(_alike(rows), 1, (), self._mount_ids)

    def with_howdah(self, rider: ListedGroup) -> ListedGroup:
        """A character on a monster or throne that has a crew beside him, with their weapons and those built on it."""
        rows = [
            Row(_row_count(node, profile, 1), profile, node)
            for node in self.own
            if node.id in self._mount_ids
            for profile in self.model_rows(node)
            if read.number(profile.value("T")) is None
            if node.id in self._crew_ids or any(word in folded(profile.name).split() for word in CREW)
        ]
        if not rows:
            return rider
        hands = self._with_all(rows)
        built_on = self._arms_on(node for node in self.own if node.id in self._mount_ids - hands)
        found = [
            ListedCrew(
                count=row.number,
                profile=read.profile_of(row.profile),
                name=row.profile.name,
                weapons=in_use(map(_mounted, self._arms_on(row.node.walk()))),
                rules=(
                    *(_rules_of(row.node.walk()) if row.node.id in self._crew_ids else ()),
                    *random_attacks(row.profile.value("A")),
                ),
            )
            for row in _alike(rows)
        ]
        crew, machines = _without_machines(replace(found[0], others=tuple(found[1:])))
        assert crew is not None
        held = (weapon for one in (crew, *crew.others) for weapon in one.weapons)
        shot = filter(is_missile, (*held, *built_on, *machines))
        return replace(rider, crew=crew, weapons=in_use((*rider.weapons, *shot)))

    def on_chariot(self, rider: ListedGroup, chariot: Figure) -> ListedGroup:
        """A character and the chariot he rides, which has its own Toughness, Wounds and save. Source: L984-985."""
        body = read.profile_of(chariot.profile)
        steeds, crews = self._before_and_on(chariot, rider.name)
        own = rider.profile
        worn = {"Sv": body.Sv, "Ward": body.Ward or own.Ward} if body.Sv else {"Ward": body.Ward or own.Ward}
        led = _rules_of([chariot.node])
        hands = {part.id for row in crews for part in row.node.walk()}
        weapons = self._arms_on(node for node in self.own if node.id not in hands | self._mount_ids)
        return replace(
            rider,
            troop_type="chariot",
            profile=replace(own, T=body.T or own.T, W=body.W or own.W, **worn),
            weapons=in_use(weapons),
            armour=() if body.Sv else rider.armour,
            rules=tuple(dict.fromkeys((*rider.rules, *self._with_scythes(led)))),
            mount=self._team(_alike(steeds), 1, chariot.node),
            crew=self._crew(_alike(crews), 1, (), self._mount_ids),
            chassis=body,
        )

    def _before_and_on(self, chariot: Figure, rider: str) -> tuple[list[Row], list[Row]]:
        """What draws a character's chariot and who stands on it: beasts shoot with nothing, a crew is called so."""
        steeds: list[Row] = []
        crews: list[Row] = []
        for node in self.own:
            if node.id in self._command_ids | self._item_ids:
                continue
            for profile in self.model_rows(node):
                row = Row(_row_count(node, profile, 1), profile, node)
                if profile.name in (rider, chariot.profile.name):
                    continue
                called = any(word in folded(profile.name).split() for word in CREW)
                shoots = bool(read.number(profile.value("BS")))
                if node.id in self._mount_ids and not (called or shoots or node.id in self._crew_ids):
                    steeds.append(row)
                elif read.troop_type(profile.value("Type") or "") is None:
                    crews.append(row)
        return steeds, crews

    def _with_scythes(self, rules: tuple[str, ...]) -> tuple[str, ...]:
        """With scythes the D6 impact hits of every chariot are D6+1, so they are not said again (L750)."""
        rows = {folded(row.name) for node in self.own for row in node.profiles if row.type_name == read.WEAPON}
        if SCYTHES in rows and SCYTHES not in map(folded, rules):
            rules = (*rules, "Scythes")
        if SCYTHES not in map(folded, rules):
            return rules
        return tuple(rule for rule in rules if not _EVERY_CHARIOT_HAS.fullmatch(rule))

    def _manned(self, group: ListedGroup, body: ProfileState, crews: list[Row], drawing: frozenset[str]) -> ListedGroup:
        """The model with its crew and everybody's weapons: what hangs on nobody is the crew's to hold, or its own.

        Args:
            drawing: ids of the selections of what draws it.
        """
        apart = self._with_all(crews) | drawing
        machine = re.search(r"\(([^)]*)\)", body.value("Type") or "")
        common = (
            *self._arms_on((node for node in self.own if node.id not in apart), machine[1] if machine else ""),
            *self._ruled_weapons,
        )
        held = tuple(filter(_is_held, common)) if crews else ()
        if group.troop_type == "monster":  # its claws are its own; what has a name in the rulebook is in hands
            held = tuple(weapon for weapon in held if isinstance(weapon, str) and folded(weapon) != "hand weapon")
        crew = self._crew(crews, group.count, held, drawing)
        crew, built_on = _without_machines(crew)
        common = (*common, *built_on)
        if group.troop_type == "war_machine" and crew is not None:
            crew = replace(crew, count=self._serving(crew, group.profile), others=())
        shot = (weapon for one in (crew, *crew.others) for weapon in one.weapons if is_missile(weapon)) if crew else ()
        weapons = (*(weapon for weapon in common if weapon not in held), *shot)
        if group.troop_type == "war_machine":
            weapons = tuple(filter(is_missile, weapons))
        return replace(
            group,
            profile=_driven(group.profile, group.troop_type, crew, group.mount),
            weapons=in_use(weapons),
            crew=crew,
        )

    def _serving(self, crew: ListedCrew, machine: Profile) -> int:
        """How many serve one war machine; where nobody says it, its Wounds are its crew. Source: L1033-1037 [text]."""
        for node in self.own:
            for rule in node.rules:
                found = _CREW_IN_WORDS.search(" ".join((rule.description or "").split()))
                if found is not None:
                    return counted(found[1])[0].number
        number = crew.count + sum(one.count for one in crew.others)
        return machine.W or 1 if number == 1 else number

    def _team(self, steeds: list[Row], bodies: int, chariot: SelectionState | None = None) -> Mount | None:
        """What draws one chariot, as one mount with all their Attacks.

        Args:
            chariot: the selection of a character's chariot, whose rules are no beast's.
        """
        if not steeds:
            return None
        number, beast, _ = steeds[0]
        own = read.profile_of(beast)
        drawn = max(1, number // max(1, bodies))
        nodes = {row.node.id: row.node for row in steeds if row.node not in (self.node, chariot)}
        return Mount(
            profile=replace(own, A=(own.A or 1) * drawn),
            name=beast.name,
            rules=(*_rules_of(nodes.values()), *random_attacks(beast.value("A"))),
        )

    def _with_all(self, rows: list[Row]) -> frozenset[str]:
        """Ids of the selections of these rows, but for that of the unit itself."""
        return frozenset(part.id for row in rows if row.node is not self.node for part in row.node.walk())

    def _crew(
        self, rows: list[Row], bodies: int, held: tuple[Carried, ...], drawing: frozenset[str]
    ) -> ListedCrew | None:
        """Who mans one model, the most numerous row first.

        Args:
            held: weapons that hang on nobody: of every one of them who has none himself.
            drawing: ids of the selections of what draws it.
        """
        if not rows:
            return None
        elsewhere = self._with_all(rows) | drawing | self._item_ids
        armed = {weapon.name for weapon in self._ruled_weapons}
        common = _rules_of(node for node in self.own if node.id not in elsewhere)
        whole = tuple(rule for rule in common if rule not in armed)
        found: list[ListedCrew] = []
        for row in sorted(rows, key=lambda one: -one.number):
            nodes = () if row.node is self.node else tuple(row.node.walk())
            own = self._arms_on(nodes)
            found.append(
                ListedCrew(
                    count=max(1, row.number // max(1, bodies)),
                    profile=read.profile_of(row.profile),
                    name=row.profile.name,
                    weapons=in_use(map(_mounted, own or held)),
                    rules=tuple(dict.fromkeys((*whole, *_rules_of(nodes), *random_attacks(row.profile.value("A"))))),
                )
            )
        return replace(found[0], others=tuple(found[1:]))

    def _crews_and_steeds(self, body: ProfileState, kind: TroopType, count: int) -> tuple[list[Row], list[Row]]:
        """Who serves or drives it, and what draws it, each with its number."""

        def row(node: SelectionState, profile: ProfileState) -> Row:
            return Row(_row_count(node, profile, count), profile, node)

        crews = [
            row(node, profile) for node in self.own if node.id in self._crew_ids for profile in self.model_rows(node)
        ]
        if not crews and kind != "monster":  # some authors name a crew by what it is, and a machine's infantry
            untyped = (None, "infantry") if kind == "war_machine" else (None,)
            crews = [
                row(figure.node, figure.profile)
                for figure in self.figures
                if figure.type in untyped and figure.profile is not body and figure.node.id not in self._mount_ids
            ]
        steeds = [
            row(node, profile)
            for node in self.own
            if node.id in self._mount_ids and node.id not in self._crew_ids
            for profile in self.model_rows(node)
            if read.troop_type(profile.value("Type") or "") != kind
        ]
        if not crews and kind in (
            "monster",
            "unique",
        ):  # who rides it has no Toughness of his own; handlers stand beside it
            crews = [
                row(figure.node, figure.profile)
                for figure in self.figures
                if figure.type is None and figure.node.id not in self._mount_ids and figure.profile is not body
            ]
        if kind == "chariot":  # what draws it has a Movement of its own, who drives it has none
            drawing = [
                figure
                for figure in self.figures
                if figure.type is None
                and figure.node.id not in self._mount_ids
                and read.number(figure.profile.value("M"))
            ]
            beasts = [figure.profile for figure in drawing]
            if any(one.profile not in beasts for one in crews):
                crews = [one for one in crews if one.profile not in beasts]
                steeds += [row(figure.node, figure.profile) for figure in drawing]
            beside = [  # a second row that drives it, though no crew by its name
                row(figure.node, figure.profile)
                for figure in self.figures
                if figure.type is None
                and figure.node.id not in self._mount_ids | self._crew_ids
                and figure.profile not in beasts
            ]
            crews += [one for one in beside if all(one.profile is not known.profile for known in crews)]
        return _alike(crews), _alike(steeds)


def with_scales(group: ListedGroup) -> ListedGroup:
    """The model whose scaly skin counts once, and beside what it wears (L588-590 [text]).

    The data prints it as the model's armour save, and again as a rule: *Scaly Skin (*)*, *Natural Armour (4+)*. A save
    that is another one is the whole of it.
    """
    scaly = next((rule for rule in group.rules if _SCALES.match(rule)), None)
    printed, stated = re.search(r"(\d)\+", scaly or ""), re.match(r"(\d)\+", str(group.profile.Sv or ""))
    if scaly is None or stated is None:
        return group
    if printed is not None and printed[1] != stated[1]:
        return replace(group, rules=tuple(rule for rule in group.rules if rule != scaly))
    rules = tuple(f"Scaly Skin ({stated[1]}+)" if rule == scaly else rule for rule in group.rules)
    return replace(group, profile=replace(group.profile, Sv=None), rules=rules)


def _words(row: ProfileState) -> str:
    return f"{row.name} {row.value('Special Rules')}"


def _is_plain_weapon(row: ProfileState) -> bool:
    """Whether a row is a weapon for close combat, or one that shoots so far; "artillery dice" is neither."""
    reach = (row.value("Range") or "").strip().casefold()
    return row.type_name == read.WEAPON and (reach in _FOR_COMBAT or re.match(r"\d", reach) is not None)


def random_attacks(attacks: str | None) -> tuple[str, ...]:
    """The rule of models whose number of Attacks is rolled."""
    dice = re.fullmatch(r"\s*(\d*[Dd][36](?:\+\d+)?)\*?\s*", attacks or "")
    return (f"Random Attacks ({dice[1].upper()})",) if dice else ()


def _driven(profile: Profile, kind: TroopType, crew: ListedCrew | None, team: Mount | None) -> Profile:
    """The model's characteristics; blows are struck at whoever drives a chariot, and the best Leadership counts.

    A chariot whose data gives it no Strength hits with the best of those who drive and draw it.
    """
    if crew is None:
        return profile
    crews = (crew, *crew.others)

    def of_crew(name: str) -> int | None:
        return next((value for one in crews if (value := getattr(one.profile, name)) is not None), None)

    if kind == "war_machine":
        return profile if profile.BS is not None else replace(profile, BS=of_crew("BS"))
    if kind not in ("chariot", "unique"):
        return profile
    known = {name: of_crew(name) for name in ("WS", "BS", "I") if not getattr(profile, name)}
    best = max((one.profile.Ld for one in crews if one.profile.Ld is not None), default=None)
    if profile.S is None:
        strengths = [one.profile.S or 0 for one in (*crews, *((team,) if team else ()))]
        known["S"] = max(strengths) or None
    return replace(profile, **known, Ld=profile.Ld or best)


def _is_of_impact(row: ProfileState) -> bool:
    """Whether a row only says how a chariot hits when it charges."""
    return folded(row.name) == SCYTHES or "impact hits" in f"{row.name} {row.value('Special Rules')}".casefold()


def _without_machines(crew: ListedCrew | None) -> tuple[ListedCrew | None, tuple[Carried, ...]]:
    """A crew without the machine that it serves, though the data writes it on each of them: there is one."""
    if crew is None:
        return None, ()
    crews = (crew, *crew.others)
    machines = [weapon for one in crews for weapon in one.weapons if is_missile(weapon) and _is_machine(weapon)]
    first, *others = (
        replace(one, weapons=tuple(weapon for weapon in one.weapons if weapon not in machines)) for one in crews
    )
    return replace(first, others=tuple(others)), tuple(machines)


def _is_machine(weapon: Carried) -> bool:
    if isinstance(weapon, str):
        arm = named(weapon)[1]
        return arm is not None and bool(arm.machine)
    return weapon.works_as is not None


def _is_held(weapon: Carried) -> bool:
    """Whether it is a weapon in somebody's hands, not one that is built on."""
    if not is_missile(weapon):
        return True
    arm = named(weapon)[1] if isinstance(weapon, str) else None
    return arm is not None and not arm.machine


def _mounted(weapon: Carried) -> Carried:
    return "Cavalry spear" if isinstance(weapon, str) and folded(weapon) == "spear" else weapon


def _rules_of(nodes: Iterable[SelectionState]) -> tuple[str, ...]:
    found = (read.rule_name(rule.name) for node in nodes for rule in node.rules)
    return tuple(dict.fromkeys(rule for rule in found if rule))


def _alike(rows: list[Row]) -> list[Row]:
    """The rows with those of the same name and characteristics as one."""
    found: dict[object, Row] = {}
    for row in rows:
        key = (row.profile.name, row.profile.characteristics)
        known = found.get(key)
        found[key] = row if known is None else known._replace(number=known.number + row.number)
    return list(found.values())


def _row_count(node: SelectionState, row: ProfileState, bodies: int) -> int:
    """How many models a row of crew or steeds is: "War Lions x2" are two, "Engineer & Crew x3" four for each body.

    Where the selection is as many already, as some authors write, the name only says it again; one selection for
    several chariots says it of each.
    """
    each = sum(counted(part)[0].number for part in row.name.split(" & "))
    if each > 1 and node.number < bodies:
        return each * bodies
    return node.number if each > 1 and node.number >= each * bodies else node.number * each
