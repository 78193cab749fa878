"""Units of an evaluated Fantasy roster as sides of a matchup: models, mounts, crews, weapons, and what is not known."""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from armybuilder.engine.roster.state import ProfileState, RosterState, SelectionState
from armybuilder.engine.systems.fantasy_8th.army import CHARACTER_CATEGORIES, Category, TroopType
from armybuilder.engine.systems.fantasy_8th.combat import rules_in_force, special_rules
from armybuilder.engine.systems.fantasy_8th.combat.fighter import Fighter
from armybuilder.engine.systems.fantasy_8th.combat.items import is_understood
from armybuilder.engine.systems.fantasy_8th.combat.saves import BARDING, SHIELDS, SUITS
from armybuilder.engine.systems.fantasy_8th.combat.weapons import is_missile, named
from armybuilder.engine.systems.fantasy_8th.list_rules.alliances import CAMPS
from armybuilder.engine.systems.fantasy_8th.matchup import Crew, Group, Mount, Side, WeaponProfile
from armybuilder.engine.systems.fantasy_8th.reference import folded, lore_key, lores
from armybuilder.engine.systems.fantasy_8th.roster import recognition as read
from armybuilder.engine.systems.fantasy_8th.roster.units import CHOICE_OF_WEAPONS, Figure, RosterUnitReader
from armybuilder.engine.systems.roster_reading.counted_names import counted
from armybuilder.engine.systems.roster_reading.loadouts import rows_left_out
from armybuilder.engine.systems.roster_reading.points_cost import points_type

DEFAULT_CATEGORY: Category = "special"
HEAVY = ("war_machine", "chariot", "monster")
MACHINES = {
    "cannon ball": "Great cannon", "cannonball": "Great cannon", "great cannon": "Great cannon", "cannon": "Cannon",
    "grapeshot": "Grapeshot", "bolt thrower": "Bolt thrower", "stone thrower": "Stone thrower",
    "fire thrower": "Fire thrower",
}  # fmt: skip
"""Weapons of war machines that the data names in another way than the rulebook."""

_STRENGTH = re.compile(r"(\d+)|([+]\d+)|[x×](\d+)")


def sides_from_roster(state: RosterState) -> tuple[Fighter, ...]:
    """Every unit of every force as a fighter, detachments too; units without characteristics are left out."""
    points = points_type(state.cost_types)
    found: list[Fighter] = []
    for index, force in enumerate(state.all_forces()):
        destruction = read.race_of(force.catalogue_name) in CAMPS["destruction"]
        for selection in force.selections:
            primary = selection.primary_category
            category = read.category_of(primary.name) if primary else None
            made = _fighters(selection, category or DEFAULT_CATEGORY, index, points)
            found += (replace(fighter, destruction=destruction) for fighter in made)
    return tuple(found)


def attached(fighters: Sequence[Fighter], state: RosterState, facts: Mapping[str, Any]) -> tuple[Fighter, ...]:
    """The same with every character in the unit that the player says he has joined.

    Args:
        facts: of the stored list, as they are kept.

    Source: L906-950 [text].
    """
    unit_of = {
        node.id: selection.id
        for force in state.all_forces()
        for selection in force.selections
        for node in selection.walk()
    }
    stated = facts.get("units") or {}
    joined = {
        unit_of.get(node_id, node_id): unit_of.get(said["joined_to"], said["joined_to"])
        for node_id, said in stated.items()
        if said.get("joined_to")
    }
    by_id = {fighter.unit: fighter for fighter in fighters}
    leaders: dict[str, list[Fighter]] = {}
    for fighter in fighters:
        host = by_id.get(joined.get(fighter.unit, ""))
        if host is not None and host.unit not in joined and _may_join(fighter, host):
            leaders.setdefault(host.unit, []).append(fighter)
    away = {leader.unit for group in leaders.values() for leader in group}
    return tuple(_led(one, leaders.get(one.unit, ())) for one in fighters if one.unit not in away)


def _may_join(character: Fighter, host: Fighter) -> bool:
    """Characters on foot or horseback join units that stand in ranks; the rest stays a unit of its own (L912-914)."""
    rules = rules_in_force.unit_rules(host.side)
    if not character.side.main.is_character or host.side.main.is_character or "fly" in rules:
        return False
    if "skirmishers" in rules and character.side.main.mount is not None:
        return False
    return character.side.main.troop_type not in HEAVY and host.side.main.troop_type not in (*HEAVY, "swarm")


def _led(host: Fighter, leaders: Sequence[Fighter]) -> Fighter:
    """The unit with the characters in its ranks."""
    if not leaders:
        return host
    wizard = max(leaders, key=lambda leader: leader.wizard_level)
    side = replace(
        host.side,
        models=(*host.side.models, *(group for leader in leaders for group in leader.side.models)),
        army_standard=any(leader.side.army_standard for leader in leaders),
    )
    return replace(
        host,
        name=" + ".join((host.name, *(leader.name for leader in leaders))),
        points=host.points + sum((leader.points for leader in leaders), Decimal(0)),
        side=side,
        unknown=tuple(dict.fromkeys((*host.unknown, *(text for leader in leaders for text in leader.unknown)))),
        wizard_level=wizard.wizard_level or host.wizard_level,
        lore=wizard.lore if wizard.wizard_level else host.lore,
    )


def _fighters(node: SelectionState, category: Category, army: int, points: str | None) -> Iterator[Fighter]:
    unit = _Muster(node, category, army, points, lambda *_: None)
    fighter = unit.fighter()
    if fighter is not None:
        yield fighter
    for detachment in unit.detachments:
        yield from _fighters(detachment, category, army, points)


@dataclass(frozen=True)
class _Muster(RosterUnitReader):
    """A unit read for a fight: what the army document leaves out, as mounts, crews and champions, is in it."""

    def fighter(self) -> Fighter | None:
        """The unit, or None when nothing of it has characteristics."""
        if not self.figures:
            return None
        is_character = self.category in CHARACTER_CATEGORIES
        groups = [self._hero()] if is_character else list(self._ranks())
        groups = [group for group in groups if group.count]
        if not groups:
            return None
        unknown = dict.fromkeys(self._apart())
        for group in groups:
            unknown |= dict.fromkeys(_unknown(group))
        unknown |= dict.fromkeys(self._left_out(groups))
        side = Side(
            name=self.node.shown_name,
            models=tuple(groups),
            command=() if is_character else tuple(dict.fromkeys(self._command())),
            army_standard=is_character and self._carries_the_army_standard(),
        )
        return Fighter(
            unit=self.node.id,
            name=self.node.shown_name,
            points=Decimal(str(self._points())),
            side=side,
            unknown=tuple(unknown),
            wizard_level=self._wizard_level(),
            lore=self._known_lore(),
        )

    def _known_lore(self) -> str | None:
        lore = lore_key(self._lore() or "")
        return lore if lore in lores() else None

    # Characters

    def _hero(self) -> Group:
        on_foot = [figure for figure in self.figures if figure.node.id not in self._mount_ids]
        main = next((figure for figure in on_foot if figure.node is self.node), (on_foot or list(self.figures))[0])
        mounts = [figure for figure in self.figures if figure is not main and figure.node.id in self._mount_ids]
        items, _, _ = self._items()
        group = Group(
            name=main.profile.name,
            count=1,
            troop_type=main.type or "infantry",
            subtypes=("Character",),
            profile=read.profile_of(main.profile),
            weapons=self._arms(),
            armour=self._protection(),
            magic_items=tuple(items),
            rules=self._own_rules(),
        )
        return self._mounted(group, [(figure.profile, figure.type) for figure in mounts])

    # Units

    def _ranks(self) -> Iterator[Group]:
        typed = [figure for figure in self.figures if figure.type is not None]
        for heavy in HEAVY:
            bodies = [figure for figure in typed if figure.type == heavy]
            if bodies:
                yield self._heavy(bodies[0].profile, heavy, self._bodies(bodies))  # type: ignore[arg-type]
                return
        beasts = [figure for figure in typed if figure.node.id in self._mount_ids or figure.type in read.RIDDEN]
        riders = [figure for figure in self.figures if figure.type is None]
        if riders and beasts:
            rank = riders
        else:
            rank, beasts = [figure for figure in typed if figure.type != "unique"] or typed or riders, []
        seen: set[str] = set()
        items, _, _ = self._items()
        for number, figure in enumerate(sorted(rank, key=lambda one: -one.node.number)):
            if figure.node.id in seen:
                continue
            seen.add(figure.node.id)
            group = Group(
                name=figure.profile.name,
                count=figure.node.number,
                troop_type=figure.type or "infantry",
                profile=read.profile_of(figure.profile),
                weapons=self._arms(),
                armour=self._protection(),
                magic_items=() if number else tuple(items),
                rules=self._own_rules(*_random(figure.profile.value("A"))),
            )
            group = self._mounted(group, [(beast.profile, beast.type) for beast in beasts])
            yield from self._with_champion(group) if not number else (group,)

    def _with_champion(self, group: Group) -> Iterator[Group]:
        """The rank and file, one of them as their champion."""
        rows = [
            profile
            for node in self.own
            if node.id in self._command_ids
            for profile in node.profiles
            if profile.type_name == read.MODEL
        ]
        if not rows or group.count < 2:
            yield group
            return
        yield replace(group, count=group.count - 1)
        yield replace(group, name=rows[0].name, count=1, profile=read.profile_of(rows[0]), magic_items=())

    def _heavy(self, body: ProfileState, kind: TroopType, count: int) -> Group:
        """A machine with its crew, a chariot with crew and steeds, or a monster."""
        items, _, _ = self._items()
        crews = [
            (_row_count(node, profile, count), profile)
            for node in self.own
            if node.id in self._crew_ids
            for profile in node.profiles
            if profile.type_name == read.MODEL
        ]
        if not crews and kind != "monster":  # some authors name a crew by what it is, and a machine's infantry
            untyped = (None, "infantry") if kind == "war_machine" else (None,)
            crews = [
                (_row_count(figure.node, figure.profile, count), figure.profile)
                for figure in self.figures
                if figure.type in untyped and figure.profile is not body and figure.node.id not in self._mount_ids
            ]
        steeds = [
            (_row_count(node, profile, count), profile)
            for node in self.own
            if node.id in self._mount_ids and node.id not in self._crew_ids
            for profile in node.profiles
            if profile.type_name == read.MODEL and read.troop_type(profile.value("Type") or "") != kind
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
            if any(row not in beasts for _, row in crews):
                crews = [(number, row) for number, row in crews if row not in beasts]
                steeds += [(_row_count(figure.node, figure.profile, count), figure.profile) for figure in drawing]
        profile = read.profile_of(body)
        crew = None
        if crews:
            hands = read.profile_of(max(crews, key=lambda pair: pair[0])[1])
            each = max(1, sum(number for number, _ in crews) // max(1, count))
            if kind == "war_machine" and each == 1:  # nobody says how many: its Wounds are its crew (L1033-1037)
                each = profile.W or 1
            crew = Crew(count=each, profile=hands)
            if kind == "war_machine" and profile.BS is None:
                profile = replace(profile, BS=hands.BS)
            if kind == "chariot":  # blows are struck at whoever drives it
                skill = {name: getattr(hands, name) for name in ("WS", "BS", "I", "Ld") if not getattr(profile, name)}
                profile = replace(profile, **skill)
        mount = None
        if steeds:
            beast = steeds[0][1]
            number = sum(number for number, row in steeds if row.name == beast.name)
            own = read.profile_of(beast)
            drawn = max(1, number // max(1, count))
            mount = Mount(profile=replace(own, A=(own.A or 1) * drawn), name=beast.name)
        weapons = self._arms()
        if kind == "war_machine":
            weapons = tuple(weapon for weapon in weapons if is_missile(weapon))
        return Group(
            name=body.name,
            count=count,
            troop_type=kind,
            profile=profile,
            weapons=weapons,
            magic_items=tuple(items),
            rules=self._own_rules(*_random(body.value("A"))),
            mount=mount,
            crew=crew,
        )

    def _mounted(self, group: Group, beasts: Sequence[tuple[ProfileState, TroopType | None]]) -> Group:
        """The models on their mounts; one who rides a chariot falls when it does."""
        kinds = [kind for _, kind in beasts]
        kind = next((result for beast, result in read.RIDDEN.items() if beast in kinds), None)
        if kind is None:
            return group
        profile, _ = next((pair for pair in beasts if pair[1] and read.RIDDEN.get(pair[1]) == kind), beasts[0])
        beast = read.profile_of(profile)
        armour = group.armour
        if self._has_barding() or (profile.value("ArmourSave") or "").strip() == "-2":
            armour = (*armour, "Barding")
        if kind == "chariot" or (kind == "monster" and not beast.A):
            own = group.profile
            group = replace(group, profile=replace(own, T=beast.T or own.T, W=beast.W or own.W))
        return replace(
            group,
            troop_type=kind,
            armour=armour,
            mount=Mount(profile=beast, name=profile.name, rules=self._mount_rules()) if beast.A else None,
        )

    # What they carry

    def _arms(self) -> tuple[str | WeaponProfile, ...]:
        """Weapons, special ones first: a model that has one fights with it (L768-770)."""
        profiles: dict[str, ProfileState] = {}
        for node in self.own:
            for profile in node.profiles:
                if profile.type_name == read.WEAPON:
                    profiles.setdefault(read.weapon_name(profile.name), profile)
        found: list[str | WeaponProfile] = []
        for name in self._weapons(self._rules()):
            printed = profiles.get(name)
            machine = MACHINES.get(folded(name))
            if machine is not None:
                found.append(machine)
            elif named(name) != (None, None) or printed is None:
                found.append(name)
            else:
                found.append(weapon_of(name, printed))
        special = [weapon for weapon in found if not isinstance(weapon, str) or folded(weapon) != "hand weapon"]
        fights = any(not is_missile(weapon) and not _is_extra(weapon) for weapon in special)
        return tuple(special if fights else found)

    def _protection(self) -> tuple[str, ...]:
        """Armour by the names of the rulebook; a piece of the army book counts by its modifier."""
        pieces: list[str] = []
        for node in self.own:
            if node.id in self._command_ids or node.id in self._mount_ids or node.id in self._item_ids:
                continue
            for profile in node.profiles:
                if profile.type_name == read.ARMOUR and "barding" not in folded(profile.name):
                    pieces.append(_armour(read.without_remarks(profile.name), profile))
        return tuple(dict.fromkeys(pieces))

    def _has_barding(self) -> bool:
        return any(
            "barding" in folded(profile.name)
            for node in self.own
            for profile in node.profiles
            if profile.type_name == read.ARMOUR
        )

    def _own_rules(self, *more: str) -> tuple[str, ...]:
        """Rules of the models themselves; those of their mounts and of figures that fight apart stand elsewhere."""
        apart = {figure.node.id for figure in self._lone_figures()} | self._mount_ids
        elsewhere = {read.rule_name(rule.name) for node in self.own if node.id in apart for rule in node.rules}
        here = {read.rule_name(rule.name) for node in self.own if node.id not in apart for rule in node.rules}
        return (*(rule for rule in self._rules() if rule in here or rule not in elsewhere), *more)

    def _mount_rules(self) -> tuple[str, ...]:
        rules = [read.rule_name(rule.name) for node in self.own if node.id in self._mount_ids for rule in node.rules]
        return tuple(dict.fromkeys(rule for rule in rules if rule))

    def _lone_figures(self) -> list[Figure]:
        """Figures that are bought with the unit but fight apart from it."""
        if all(figure.type in (None, "unique") for figure in self.figures):
            return []
        return [figure for figure in self.figures if figure.type == "unique"]

    def _left_out(self, groups: Sequence[Group]) -> Iterator[str]:
        """Rows and weapons of which nothing was made; a second row of the same characteristics is no other model."""
        used = [group.profile for group in groups]
        used += [group.mount.profile for group in groups if group.mount]
        used += [group.crew.profile for group in groups if group.crew]
        names = {name for group in groups for name in (group.name, group.mount.name if group.mount else None)}
        yield from rows_left_out(
            self.own,
            lambda row: row.type_name == read.MODEL and row.name not in names and read.profile_of(row) not in used,
            (),
        )
        carried = {folded(w if isinstance(w, str) else w.name) for group in groups for w in group.weapons}
        if any(folded(rule) == CHOICE_OF_WEAPONS for rule in self._rules()):
            carried.add("additional hand weapon")  # left out on purpose: they choose each round
        plain = [node for node in self.own if node.id not in self._item_ids]  # items are named by themselves
        yield from rows_left_out(plain, lambda row: row.type_name == read.WEAPON and not _is_among(row, carried), ())

    def _apart(self) -> Iterator[str]:
        """Models and rows that are in no group: figures that fight apart, second crews, books' own items."""
        for figure in self._lone_figures():
            yield figure.profile.name
        for figure in self.figures:
            attacks = (figure.profile.value("A") or "").strip(" -–")
            if attacks and read.number(attacks) is None and not _random(attacks):
                yield f"A: {attacks}"
        names, _, _ = self._items()
        for name in names:
            if not is_understood(name):
                yield name


def _is_among(row: ProfileState, carried: Set[str]) -> bool:
    """Whether a weapon is carried, or is the hand weapon that everybody has."""
    name = folded(read.weapon_name(row.name))
    return name in ("hand weapon", *carried) or folded(MACHINES.get(name, "")) in carried


def _row_count(node: SelectionState, row: ProfileState, bodies: int) -> int:
    """How many models a row of crew or steeds is: "War Lions x2" are two, "Engineer & Crew x3" four for each body.

    Where the selection is as many already, as some authors write, the name only says it again.
    """
    each = sum(counted(part)[0].number for part in row.name.split(" & "))
    return node.number if each > 1 and node.number >= each * bodies else node.number * each


def _random(attacks: str | None) -> tuple[str, ...]:
    """The rule of models whose number of Attacks is rolled."""
    dice = re.fullmatch(r"\s*(\d*[Dd][36](?:\+\d+)?)\s*", attacks or "")
    return (f"Random Attacks ({dice[1].upper()})",) if dice else ()


def weapon_of(name: str, profile: ProfileState) -> WeaponProfile:
    """A weapon of an army book, by its profile."""
    reach = re.findall(r"\d+", profile.value("Range") or "")
    text = (profile.value("Strength") or "").replace("As user", "User")
    match = _STRENGTH.search(text)
    strength: int | str = "User"
    if match:
        strength = int(match[1]) if match[1] else match[2] or f"x{match[3]}"
    rules = [part.strip() for part in re.split(r",(?![^(]*\))", profile.value("Special Rules") or "")]
    centre = re.search(r"\d\s*\((\d+)\)", text)
    if "per rank" in text or any(folded(rule).startswith("bolt thrower") for rule in rules):
        rules.append("Rank Penetration")
    return WeaponProfile(
        name=name,
        range=float(max(map(int, reach))) if reach else "-",
        S=strength,
        centre_S=int(centre[1]) if centre and int(centre[1]) else None,
        rules=tuple(rule for rule in rules if rule.strip("–- ")),
    )


def _armour(name: str, profile: ProfileState) -> str:
    """A piece by the rulebook's name for its value, when only the army book knows its own."""
    if folded(name) in SUITS or folded(name) in SHIELDS or folded(name) in BARDING:
        return name
    worth = read.number((profile.value("Saving Throw modifier") or "").rstrip("+ "))
    return {6: "Light armour", 5: "Heavy armour", 4: "Full plate armour"}.get(worth or 0, name)


def _is_extra(weapon: str | WeaponProfile) -> bool:
    if not isinstance(weapon, str):
        return False
    melee, _ = named(weapon)
    return melee is not None and melee.extra


def _unknown(group: Group) -> Iterator[str]:
    """What of a group no simulation understands."""
    for text in (*group.rules, *(group.mount.rules if group.mount else ())):
        if not special_rules.is_known(text):
            yield text
    for weapon in group.weapons:
        if isinstance(weapon, str):
            if named(weapon) == (None, None):
                yield weapon
        else:
            yield from (rule for rule in weapon.rules if not special_rules.is_known(rule))
    known = SUITS.keys() | SHIELDS | BARDING
    yield from (piece for piece in group.armour if folded(piece) not in known)
