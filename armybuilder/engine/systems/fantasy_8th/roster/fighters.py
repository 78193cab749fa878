"""Units of an evaluated Fantasy roster as sides of a matchup: models, mounts, crews, weapons, and what is not known."""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from decimal import Decimal
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from armybuilder.engine.points import written
from armybuilder.engine.roster.state import ProfileState, RosterState, SelectionState
from armybuilder.engine.systems.fantasy_8th.army import CHARACTER_CATEGORIES, Category, Profile, TroopType
from armybuilder.engine.systems.fantasy_8th.combat import rules_in_force, special_rules
from armybuilder.engine.systems.fantasy_8th.combat.fighter import Fighter
from armybuilder.engine.systems.fantasy_8th.combat.items import is_understood
from armybuilder.engine.systems.fantasy_8th.combat.saves import BARDING, SHIELDS, SUITS
from armybuilder.engine.systems.fantasy_8th.combat.weapons import is_missile, named
from armybuilder.engine.systems.fantasy_8th.list_rules.alliances import CAMPS
from armybuilder.engine.systems.fantasy_8th.list_rules.magic_items import slot_of
from armybuilder.engine.systems.fantasy_8th.matchup import (
    ListedCrew,
    ListedGroup,
    ListedSide,
    ListedWeapon,
    Mount,
    needed,
)
from armybuilder.engine.systems.fantasy_8th.reference import folded, lore_key, lores
from armybuilder.engine.systems.fantasy_8th.roster import recognition as read
from armybuilder.engine.systems.fantasy_8th.roster.army_book_rules import completed
from armybuilder.engine.systems.fantasy_8th.roster.manned import SCYTHES, MannedReader, random_attacks, with_scales
from armybuilder.engine.systems.fantasy_8th.roster.selections import (
    CAVALRY,
    bare_armour,
    bare_weapon,
    is_bare,
    says_who,
)
from armybuilder.engine.systems.fantasy_8th.roster.units import CHOICE_OF_WEAPONS, HEAVY, Figure, parts
from armybuilder.engine.systems.fantasy_8th.roster.weapon_rows import (
    MACHINES,
    breath_in_text,
    breath_of,
    unread_strength,
)
from armybuilder.engine.systems.roster_reading.loadouts import CONDITIONAL, rows_left_out
from armybuilder.engine.systems.roster_reading.parts import units_without_rows
from armybuilder.engine.systems.roster_reading.points_cost import points_type

_BY_SAVE = {6: "Light armour", 5: "Heavy armour", 4: "Full plate armour"}
_SUIT = re.compile(r"(\d)\+")
_BETTER = re.compile(r"[+-](\d)")
"""By how much a helm or shield betters a save; authors write it from either side."""

_WARD = re.compile(r"ward ?save \(?(\d)\+\)?|(\d)\+ ward ?save", re.IGNORECASE)
_SAVE = re.compile("|".join((_SUIT.pattern, _BETTER.pattern, _WARD.pattern)), re.IGNORECASE)

_THICK_SKINNED = re.compile(r"armour save bonus of \+(\d)", re.IGNORECASE)
"""By how much a mount betters its rider's save, where a rule says that it is more than the usual point (L990)."""

DEFAULT_CATEGORY: Category = "special"
SAME_WEAPONS = {
    "spear": ("cavalry spear",),
    "cavalry spear": ("spear",),
    "cannon ball": ("cannon",),
    "cannonball": ("cannon",),
}
"""What a weapon of the data may be to a fighter."""


def sides_from_roster(state: RosterState) -> tuple[Fighter, ...]:
    """Every unit of every force as a fighter, detachments too; units without characteristics are left out."""
    points = points_type(state.cost_types)
    found: list[Fighter] = []
    for index, force in enumerate(state.all_forces()):
        destruction = read.race_of(force.catalogue_name) in CAMPS["destruction"]
        for selection in force.selections:
            primary = selection.primary_category
            category = read.category_of(primary.name) if primary else None
            for part in parts(selection, category or DEFAULT_CATEGORY):
                fighter = _FightingUnit(part, army=index, points_type=points).fighter()
                if fighter is not None:
                    found.append(replace(fighter, destruction=destruction))
    return tuple(found)


def units_without_fighters(state: RosterState) -> tuple[str, ...]:
    """Names of units that cost points and are no fighters: the data has no row of their characteristics."""
    return units_without_rows(state, {fighter.unit for fighter in sides_from_roster(state)}, read.category_of)


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
    facts_of_units = facts.get("units") or {}
    joined = {
        unit_of.get(node_id, node_id): unit_of.get(facts_of_unit["joined_to"], facts_of_unit["joined_to"])
        for node_id, facts_of_unit in facts_of_units.items()
        if facts_of_unit.get("joined_to")
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


class _FightingUnit(MannedReader):
    """A unit read for a fight: what the army document leaves out, as mounts, crews and champions, is in it."""

    def fighter(self) -> Fighter | None:
        """The unit, or None when nothing of it has characteristics."""
        if not self.figures:
            return None
        is_character = self.category in CHARACTER_CATEGORIES
        groups = list(self._heroes() if is_character else self._ranks())
        groups = [completed(_with_one_spear(group)) for group in groups if group.count]
        if not groups:
            return None
        groups[0] = self._breathing(groups[0])
        unknown = dict.fromkeys(_apart(self, groups))
        for group in groups:
            unknown |= dict.fromkeys(_unknown(group))
        unknown |= dict.fromkeys(_left_out(self, groups))
        side = ListedSide(
            name=self.node.shown_name,
            models=tuple(groups),
            command=() if is_character else tuple(dict.fromkeys(self._command())),
            army_standard=is_character and self._carries_the_army_standard(),
        )
        return Fighter(
            unit=self.node.id,
            name=self.node.shown_name,
            points=Decimal(str(written(self.part.points(self.points_type)))),
            side=side,
            unknown=tuple(unknown),
            wizard_level=self._wizard_level(),
            lore=_known_lore(self._lore()),
        )

    @cached_property
    def breaths(self) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
        """Weapons that are breathed, the strongest first: name, rule, and what of it is not understood."""
        found = [
            (row.name, breath_of(row)) for node in self.own for row in node.profiles if row.type_name == read.WEAPON
        ]
        found += [(rule.name, breath_in_text(rule)) for node in self.own for rule in node.rules]
        rules = [(name, *breath) for name, breath in found if breath is not None]
        return tuple(sorted(rules, key=lambda one: one[1], reverse=True))

    def _breathing(self, group: ListedGroup) -> ListedGroup:
        """The model with what it, or the monster under it, breathes: one of several in a battle [decision]."""
        if not self.breaths:
            return group
        names = {
            folded(shown) for name, _, _ in self.breaths for shown in (read.weapon_name(name), read.rule_name(name))
        }
        kept = (one for one in group.weapons if folded(one if isinstance(one, str) else one.name) not in names)
        mount = group.mount and replace(group.mount, rules=_but(names, group.mount.rules))
        rules = (*_but(names, group.rules), self.breaths[0][1])
        return replace(group, weapons=tuple(kept), rules=rules, mount=mount)

    # Characters

    def _heroes(self) -> Iterator[ListedGroup]:
        """The character, and whoever was bought with him and has Wounds of his own."""
        main = self.hero
        mounts = [figure for figure in self.ridden if figure is not main]
        group = self._with_book_armour(self.with_book_weapons(self._with_mount(main, mounts)))
        beside: list[ListedGroup] = []
        for figure in self.figures if group.chassis is None else ():
            twin = figure.node is main.node
            if figure is main or figure in self.ridden or figure.type == "unique" or not (figure.type or twin):
                continue
            profile = read.profile_of(figure.profile)
            if profile.T is None:
                continue
            other = self._one_of(figure, profile, figure.node.number)
            if twin and group.rides_a_monster:
                group = _with_second_rider(group, other)
            else:
                beside.append(_riding_along(other, group) if twin and mounts else other)
        yield from (group, *beside)

    def _with_mount(self, main: Figure, mounts: Sequence[Figure]) -> ListedGroup:
        items, _, _ = self._items()
        group = replace(
            self._one_of(main, read.profile_of(main.profile), 1),
            subtypes=("Character",),
            armour=self._protection(),
            magic_items=tuple(items),
        )
        chariot = next((figure for figure in mounts if figure.type == "chariot"), None)
        if chariot is not None and read.profile_of(chariot.profile).A is None:
            return self.on_chariot(group, chariot)
        group = self._mounted(group, [(figure.profile, figure.type or main.type) for figure in mounts])
        beside = self.beside(main)
        return self.with_howdah(group) if beside is None and mounts else replace(group, crew=beside)

    def _with_book_armour(self, group: ListedGroup) -> ListedGroup:
        """The same with the saves that his army book's items and his own rules give him without conditions."""
        suits = [int(found[1]) for text in self._book_saves() if (found := _SUIT.fullmatch(text))]
        wards = [int(found[1] or found[2]) for text in self._book_saves() if (found := _WARD.fullmatch(text))]
        profile = group.profile
        ward = min([*wards, *([needed(profile.Ward) or 7] if wards else [])], default=None)
        if ward is not None:
            profile = replace(profile, Ward=f"{ward}+")
        shields, better = self._better_armour()
        armour = tuple(piece for piece in group.armour if piece not in better)
        armour = (*armour, *("Shield",) * bool(shields))
        suit = min(suits, default=None)
        if suit is not None and suit >= 4:
            armour = (*armour, _BY_SAVE[suit])
        elif suit is not None and profile.Sv is None:
            riding = group.mount is not None or group.troop_type in CAVALRY
            bearing = any(folded(piece) in SHIELDS for piece in armour)
            profile = replace(profile, Sv=f"{max(1, suit - riding - bearing)}+")
        rules = tuple(rule for rule in group.rules if not _WARD.fullmatch(rule))
        besides = sum(better.values()) - len(shields)  # of a shield of -2 the second point
        return _bettered(replace(group, profile=profile, armour=armour, rules=rules), besides)

    def _better_armour(self) -> tuple[frozenset[str], dict[str, int]]:
        """What of the army book betters his save by so many points: the shields among it, and all of it."""
        beside = self._command_ids | self._mount_ids
        rows = [
            (read.without_remarks(row.name), found)
            for node in self.own
            if node.id not in beside and read.common_item(node.name) is None
            for row in node.profiles
            if row.type_name == read.ARMOUR
            if (found := _BETTER.fullmatch((row.value("Saving Throw modifier") or "").strip()))
        ]
        better = {name: int(found[1]) for name, found in rows if folded(name) not in (*SUITS, *SHIELDS, *BARDING)}
        return frozenset(name for name in better if slot_of(folded(name)) == "shield"), better

    def _book_saves(self) -> Iterator[str]:
        """Texts about saves that hold without conditions: of items, and of rules by their name."""
        yield from (read.rule_name(rule.name) for node in self.own if node is self.node for rule in node.rules)
        for node in self.own:
            if node.id in self._item_ids and read.common_item(node.name) is None:
                yield from _plain_texts(node)

    def is_worn(self, item: str) -> bool:
        """Whether an item of the army book only gives saves that are read."""
        found = [node for node in self.own if node.id in self._item_ids and read.without_remarks(node.name) == item]
        texts = [text for node in found for text in _texts(node)]
        is_character = self.category in CHARACTER_CATEGORIES
        return is_character and bool(texts) and all(map(_SAVE.fullmatch, texts))

    def _one_of(self, figure: Figure, profile: Profile, count: int) -> ListedGroup:
        """So many models of a row with their weapons and rules."""
        group = ListedGroup(
            name=figure.profile.name,
            count=count,
            troop_type=figure.type or ("infantry" if self.ridden else self.untold_type),
            profile=profile,
            weapons=self.arms(figure),
            rules=self.own_rules(*random_attacks(figure.profile.value("A")), figure=figure),
        )
        return with_scales(group)

    # Units

    def _ranks(self) -> Iterator[ListedGroup]:
        typed = [figure for figure in self.figures if figure.type is not None]
        for heavy in HEAVY:
            bodies = [figure for figure in typed if figure.type == heavy]
            if bodies:
                group = self.heavy(bodies[0].profile, heavy, sum(node.number for node in self._bodies(bodies)))
                worn = heavy == "monster" and group.crew is None and group.profile.Sv is None
                yield replace(group, armour=self._protection()) if worn else group
                return
        driven = any(figure.type is None and read.number(figure.profile.value("T")) is None for figure in self.figures)
        if len(typed) == 1 and typed[0].type == "unique" and driven:
            yield self.heavy(typed[0].profile, "unique", sum(node.number for node in self._bodies(typed)))
            return
        items, _, _ = self._items()
        found: dict[ListedGroup, int] = {}
        for figure in {figure.node.id: figure for figure in reversed(self._in_ranks(typed))}.values():
            group = replace(self._one_of(figure, read.profile_of(figure.profile), 0), armour=self._protection(figure))
            group = self._mounted(group, [(beast.profile, beast.type or figure.type) for beast in self.ridden])
            found[group] = found.get(group, 0) + figure.node.number
        groups = sorted((replace(group, count=count) for group, count in found.items()), key=lambda one: -one.count)
        for number, group in enumerate(groups):
            if number:
                yield group
            else:
                yield from self._with_champion(replace(group, magic_items=tuple(items)))

    def _in_ranks(self, typed: Sequence[Figure]) -> list[Figure]:
        """Who stands in the ranks: riders and not their mounts, or whoever has a type; handlers beside their beasts."""
        untyped = [figure for figure in self.figures if figure.type is None]
        if self.ridden:
            return [figure for figure in self.figures if figure not in self.ridden and figure.type != "unique"]
        fighting = [figure for figure in typed if figure.type != "unique"] or list(typed) or untyped
        return [*fighting, *untyped] if self.handled else fighting

    def _with_champion(self, group: ListedGroup) -> Iterator[ListedGroup]:
        """The rank and file, one of them as their champion."""
        rows = [
            profile
            for node in self.own
            if node.id in self._command_ids
            for profile in node.profiles
            if read.is_model(profile)
        ]
        if not rows or group.count < 2:
            yield group
            return
        yield replace(group, count=group.count - 1)
        yield replace(group, name=rows[0].name, count=1, profile=read.profile_of(rows[0]), magic_items=())

    def _mounted(self, group: ListedGroup, beasts: Sequence[tuple[ProfileState, TroopType | None]]) -> ListedGroup:
        """The models on their mounts; one who rides a chariot falls when it does."""
        kinds = [kind for _, kind in beasts]
        kind = next((result for beast, result in read.RIDDEN.items() if beast in kinds), None)
        if kind is None:
            return group
        profile, _ = next((pair for pair in beasts if pair[1] and read.RIDDEN.get(pair[1]) == kind), beasts[0])
        beast = read.profile_of(profile)
        armour, skins = group.armour, self._thick_skins()
        is_thick = (profile.value("ArmourSave") or "").strip() in ("-2", "+2")
        if self._has_barding() or is_thick:
            armour = (*armour, "Barding")
        if is_thick:  # the row says it
            said = (*group.rules, *self.mount_rules())
            skins = {rule: 1 for rule in said if folded(rule).startswith(("thick-skinned", "thick skinned"))} | skins
        if kind == "chariot" or (kind == "monster" and not beast.A):
            own = group.profile
            group = replace(group, profile=replace(own, T=beast.T or own.T, W=beast.W or own.W))
        mounted = replace(
            group,
            troop_type=kind,
            armour=armour,
            rules=_without(skins, group.rules),
            mount=Mount(profile=beast, name=profile.name, rules=_without(skins, self.mount_rules()))
            if beast.A
            else None,
        )
        return _bettered(mounted, max(skins.values(), default=1) - 1)

    # What they wear

    def _protection(self, figure: Figure | None = None) -> tuple[str, ...]:
        """Armour by the names of the rulebook; a piece of the army book counts by its modifier.

        Args:
            figure: who wears it, where others of the unit have armour of their own.
        """
        pieces: list[str] = []
        beside = frozenset[str]() if figure is None else self._on_others(figure)
        for node in self.own:
            if node.id in self._command_ids | self._mount_ids | self._item_ids | beside:
                continue
            for profile in node.profiles:
                if profile.type_name == read.ARMOUR and "barding" not in folded(profile.name):
                    pieces.append(_armour(read.without_remarks(profile.name), profile))
            bare = bare_armour(node)
            if bare is not None and folded(bare) not in BARDING:
                pieces.append(bare)
        return tuple(dict.fromkeys(pieces))

    def _thick_skins(self) -> dict[str, int]:
        """Rules that say by how much the mount betters the armour save of its rider, each with its points."""
        rules = ((rule, _THICK_SKINNED.search(rule.description or "")) for node in self.own for rule in node.rules)
        return {read.rule_name(rule.name): int(found[1]) for rule, found in rules if found}

    def _has_barding(self) -> bool:
        return any(
            "barding" in folded(profile.name)
            for node in self.own
            for profile in node.profiles
            if profile.type_name == read.ARMOUR
        ) or any(folded(bare_armour(node) or "") in BARDING for node in self.own)


def _with_second_rider(group: ListedGroup, other: ListedGroup) -> ListedGroup:
    """A character on a monster with another one behind him, who is struck and slain with him [decision]."""
    crew = ListedCrew(
        count=other.count, profile=other.profile, name=other.name, weapons=other.weapons, rules=other.rules
    )
    more = tuple(weapon for weapon in other.weapons if is_missile(weapon) and weapon not in group.weapons)
    return replace(group, weapons=(*group.weapons, *more), crew=crew)


def _riding_along(other: ListedGroup, first: ListedGroup) -> ListedGroup:
    """Who shares the mount of a character: the beast strikes once, for the first of them."""
    borne = first.mount.rules if first.mount is not None else ()
    return replace(other, troop_type=first.troop_type, rules=tuple(dict.fromkeys((*other.rules, *borne))))


def _with_one_spear(group: ListedGroup) -> ListedGroup:
    """The model with one of the two rows that data prints of a spear: how it is used on foot, or mounted."""
    twice = {"spear", "cavalry spear"} <= {folded(weapon) for weapon in group.weapons if isinstance(weapon, str)}
    is_mounted = group.mount is not None or group.troop_type in CAVALRY or group.rides_a_monster
    other = "spear" if is_mounted else "cavalry spear"
    kept = (one for one in group.weapons if not (twice and isinstance(one, str) and folded(one) == other))
    return replace(group, weapons=tuple(kept))


def _without(known: Mapping[str, int], rules: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(rule for rule in rules if rule not in known)


def _but(names: Set[str], rules: Sequence[str]) -> tuple[str, ...]:
    return tuple(rule for rule in rules if folded(rule) not in names)


def _bettered(group: ListedGroup, points: int) -> ListedGroup:
    """The model with an armour save better by so many points: with the next suit, or with a save that is stated."""
    if not points:
        return group
    if (stated := needed(group.profile.Sv)) is not None:
        return replace(group, profile=replace(group.profile, Sv=f"{max(1, stated - points)}+"))
    worn = max((SUITS[folded(piece)] for piece in group.armour if folded(piece) in SUITS), default=0)
    others = tuple(piece for piece in group.armour if folded(piece) not in SUITS)
    if (suit := _BY_SAVE.get(7 - worn - points)) is not None:
        return replace(group, armour=(*others, suit))
    riding = group.mount is not None or group.troop_type in CAVALRY
    bearing = not SHIELDS.isdisjoint(map(folded, others))
    barded = not BARDING.isdisjoint(map(folded, others))
    stated = 7 - worn - points - riding - bearing - barded
    return replace(group, profile=replace(group.profile, Sv=f"{max(1, stated)}+"))


def _known_lore(name: str | None) -> str | None:
    lore = lore_key(name or "")
    return lore if lore in lores() else None


def _left_out(unit: _FightingUnit, groups: Sequence[ListedGroup]) -> Iterator[str]:
    """Rows and weapons of which nothing was made; a second row of the same characteristics is no other model."""
    used = [group.profile for group in groups]
    used += [group.mount.profile for group in groups if group.mount]
    used += [crew.profile for group in groups for crew in group.crews]
    used += [group.chassis for group in groups if group.chassis is not None]
    names = {name for group in groups for name in (group.name, group.mount.name if group.mount else None)}
    yield from rows_left_out(
        unit.own,
        lambda row: read.is_model(row) and row.name not in names and read.profile_of(row) not in used,
        (),
    )
    arms = [weapon for group in groups for weapon in (*group.weapons, *_of_crews(group))]
    carried = {folded(w if isinstance(w, str) else w.name) for w in arms}
    carried |= {folded(read.weapon_name(name)) for name, _, _ in unit.breaths}
    carried |= {SCYTHES for group in groups if SCYTHES in map(folded, group.rules)}
    if any(folded(rule) == CHOICE_OF_WEAPONS for rule in unit._rules()):
        carried.add("additional hand weapon")  # left out on purpose: they choose each round
    plain = [node for node in unit.own if node.id not in unit._item_ids]  # items are named by themselves
    yield from rows_left_out(plain, lambda row: row.type_name == read.WEAPON and not _is_among(row, carried), ())


def _of_crews(group: ListedGroup) -> Iterator[str | ListedWeapon]:
    for crew in group.crews:
        yield from crew.weapons


def _apart(unit: _FightingUnit, groups: Sequence[ListedGroup]) -> Iterator[str]:
    """Models and rows that are in no group: figures that fight apart, second crews, books' own items.

    A war machine of whose shot the data says nothing is named itself.
    """
    for figure in unit.lone_figures():
        yield figure.profile.name
    yield from (node.name for node in unit.mounts_without_rows())
    yield from (group.name.strip() for group in groups if group.troop_type == "war_machine" and not group.weapons)
    yield from (text for name, _, left in unit.breaths[:1] for text in left)
    yield from (name for name, _, _ in unit.breaths[1:])
    for figure in unit.figures:
        attacks = (figure.profile.value("A") or "").strip(" -–")
        if attacks and read.number(attacks) is None and not random_attacks(attacks):
            yield f"A: {attacks}"
        yield from read.odd_characteristics(figure.profile)
        if figure.type == "chariot" and read.profile_of(figure.profile).S is None:
            yield f"{figure.profile.name}: S –"  # that of its crew or beasts stands for it
    for row in (row for node in unit.own for row in node.profiles if row.type_name == read.WEAPON):
        rolled = unread_strength(row)
        if rolled is not None:
            yield rolled
    names, _, _ = unit._items()
    for name in names:
        if not is_understood(name) and not (unit.is_wielded(name) or unit.is_worn(name)):
            yield name
    for node in unit.own:
        if node is not unit.node and is_bare(node) and not (bare_armour(node) or bare_weapon(node) or says_who(node)):
            yield read.without_remarks(node.name)


def _is_among(row: ProfileState, carried: Set[str]) -> bool:
    """Whether a weapon is carried, or is the hand weapon that everybody has."""
    name = folded(read.weapon_name(row.name))
    same = {name, folded(MACHINES.get(name, "")), *SAME_WEAPONS.get(name, ())}
    return name == "hand weapon" or not same.isdisjoint(carried)


def _armour(name: str, profile: ProfileState) -> str:
    """A piece by the rulebook's name for its value, when only the army book knows its own."""
    if folded(name) in SUITS or folded(name) in SHIELDS or folded(name) in BARDING:
        return name
    worth = read.number((profile.value("Saving Throw modifier") or "").rstrip("+ "))
    return _BY_SAVE.get(worth or 0, name)


def _texts(node: SelectionState) -> Iterator[str]:
    """What an item's rows of armour and talismans say, piece by piece."""
    for row in node.profiles:
        for name, text in row.characteristics if row.type_name != read.WEAPON else ():
            if name.startswith(("Saving", "Special", "Protection", "Magic")):
                parts = (re.sub(r"\s*\((?:BRB|AB)[^)]*\)", "", part) for part in re.split(r",|(?<!vs)\.\s+", text))
                yield from (part.strip(" .") for part in parts if part.strip(" .–-"))


def _plain_texts(node: SelectionState) -> Iterator[str]:
    yield from (text for text in _texts(node) if not CONDITIONAL.search(text))


def _unknown(group: ListedGroup) -> Iterator[str]:
    """What of a group no simulation understands."""
    of_crews = (rule for crew in group.crews for rule in crew.rules)
    for text in (*group.rules, *of_crews, *(group.mount.rules if group.mount else ())):
        if not special_rules.is_known(text):
            yield text
    for weapon in (*group.weapons, *_of_crews(group)):
        if isinstance(weapon, str):
            if named(weapon) == (None, None):
                yield weapon
        else:
            yield from (rule for rule in weapon.rules if not special_rules.is_known(rule))
    known = SUITS.keys() | SHIELDS | BARDING
    yield from (piece for piece in group.armour if folded(piece) not in known)
