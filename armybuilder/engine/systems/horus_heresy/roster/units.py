"""Root selections of a force seen as units of the army document: split, counted, typed.

One root selection may be several units: a tercio holds sections, a unit brings its dedicated transport, a Praetor his
command squad. A unit inside another takes no slot of its own (L3536, L3538).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from armybuilder.engine.points import written
from armybuilder.engine.roster.state import Info, ProfileState, SelectionState
from armybuilder.engine.systems.horus_heresy import factions
from armybuilder.engine.systems.horus_heresy.army import ModelGroup, Option, Profile, Unit
from armybuilder.engine.systems.horus_heresy.roster import recognition as read
from armybuilder.engine.systems.horus_heresy.roster.gear import (
    armed_by_name,
    descriptions,
    drop_repeated_powers,
    drop_second_weapons,
    hand_out,
    is_bare,
)
from armybuilder.engine.systems.horus_heresy.vocabulary import BattlefieldRole, word
from armybuilder.engine.systems.roster_reading.loadouts import (
    Gear,
    Loadout,
)
from armybuilder.engine.systems.roster_reading.notes import Unrecognised, ignored
from armybuilder.engine.systems.roster_reading.parts import Part, walk_without
from armybuilder.engine.systems.roster_reading.unit_reader import (
    LoadoutReader,
    ModelRow,
    RosterUnit,
    Standing,
    standing,
)

FORTIFICATIONS = {
    "fortified_wall": "Fortified Wall",
    "imperial_bunker": "Imperial Bunker",
    "defence_line": "Defence Line",
}
"""The fortifications of the rulebook (L2660-L2761), which the rules know by name."""

BOOK_OPTIONS = {
    "strongpoint": "Strongpoint",
    "icarus_lascannon": "Icarus lascannon",
    "skyreaper_battery": "Skyreaper battery",
}
"""Their options, by the words that data authors write."""

LEGION_RULE = "legiones_astartes"
SIDES = ("loyalist", "traitor")
DISCIPLINE = "psychic_discipline:"
ARCANA = "Prosperine Arcana"
"""Profiles of what psykers of one Legion choose instead of a discipline of the rulebook."""
PACKS = ("jump_pack", "jet_pack")

ARTILLERY = "artillery"
"""Sub-type of guns that stand beside their crew (L1644)."""


@dataclass(frozen=True, slots=True)
class Leader:
    """The warlord as player or data name him.

    Attributes:
        node_id: a selection of his unit, or the unit.
        trait: recorded trait, if any.
    """

    node_id: str
    trait: str | None = None


@dataclass(frozen=True, slots=True)
class HeresyUnit(RosterUnit[Unit]):
    """A unit with what the document does not say of it.

    Attributes:
        traits: traits the player took from the data, so that they are known to be open to him.
    """

    traits: tuple[str, ...] = ()


def parts(root: SelectionState, role: str) -> list[Part]:
    """The units of a root selection: itself unless it only holds units; each is followed by what was bought for it."""
    inside = tuple(_inside(root))
    own = list(walk_without(root, {node.id for node in inside}))
    if not inside or any(_is_model(node) for node in own):
        whole = Part(root, role, inside)
        return [whole, *_bought_for(whole)]
    found: list[Part] = []
    for index, node in enumerate(inside):
        section = Part(node, role, tuple(_inside(node)), slots=0 if index else 1)
        found += [section, *_bought_for(section)]
    return found


def on_the_table(root: SelectionState) -> Standing | None:
    """What of a root selection stands on the table."""
    return standing(parts(root, ""), lambda part: [row.node for row in HeresyReader(part, points_type=None).models])


def _bought_for(parent: Part) -> Iterator[Part]:
    for node in parent.inside:
        carries = _shows_vehicle(node) and not any(_has_vehicle_profile(own) for own in parent.own())
        role = parent.role
        if not carries and role == BattlefieldRole.PRIMARCH:
            role = BattlefieldRole.HQ  # a Primarch's retinue is no Primarch and not under the cap (L3515)
        part = Part(node, role, tuple(_inside(node)), parent=parent, carries=carries, slots=0)
        yield part
        yield from _bought_for(part)


def _inside(node: SelectionState) -> Iterator[SelectionState]:
    """The nearest selections below that are units of their own.

    The community writes some transports as upgrades that show a vehicle's profile below a unit on foot, or that stand
    around a model with one.
    """
    on_foot = any(profile.type_name == "Unit" for part in node.walk() for profile in part.profiles)

    def search(above: SelectionState) -> Iterator[SelectionState]:
        for child in above.selections:
            if child.type == "unit" or (on_foot and child.type == "upgrade" and _is_vehicle(child)):
                yield child
            else:
                yield from search(child)

    return search(node)


def _is_vehicle(upgrade: SelectionState) -> bool:
    """Whether an upgrade is a vehicle with all that hangs on it: a choice of vehicles is not, nor a squad in one."""
    if _has_vehicle_profile(upgrade):
        return True
    on_foot = any(profile.type_name == "Unit" for part in upgrade.walk() for profile in part.profiles)
    return not on_foot and any(part.type == "model" and _has_vehicle_profile(part) for part in upgrade.selections)


def _is_model(node: SelectionState) -> bool:
    return node.type == "model" or any(map(read.is_model, node.profiles))


def _has_vehicle_profile(node: SelectionState) -> bool:
    return any(profile.type_name == "Vehicle" for profile in node.profiles)


def _shows_vehicle(node: SelectionState) -> bool:
    return any(_has_vehicle_profile(part) for part in node.walk())


@dataclass(slots=True)
class _Kind:
    """Models of a unit that are the same in everything."""

    node: SelectionState
    name: str
    count: int
    type: str | None
    subtypes: tuple[str, ...]
    profile: Profile | None
    wargear: tuple[str, ...]
    rules: tuple[str, ...]
    leads: bool = False

    def same_as(self, other: "_Kind") -> bool:
        """Whether the two differ in nothing but their number; a warlord is never merged."""
        mine = (self.name, self.type, self.subtypes, self.profile, self.wargear, self.rules)
        return not (self.leads or other.leads) and mine == (
            other.name,
            other.type,
            other.subtypes,
            other.profile,
            other.wargear,
            other.rules,
        )


class HeresyReader(LoadoutReader):
    """Reads one part of a root selection.

    Args:
        legion: of the detachment, for the rule Legiones Astartes (X).
        leader: the warlord, if somebody is marked.
        in_primary: it stands in the Primary Detachment.
        by_groups: rows and rules of the groups around a selection, by its id.
    """

    is_model = staticmethod(read.is_model)
    is_weapon = staticmethod(read.is_weapon)
    is_wargear = staticmethod(read.is_wargear)

    def __init__(
        self,
        part: Part,
        *,
        points_type: str | None,
        unrecognised: Unrecognised = ignored,
        legion: str | None = None,
        leader: Leader | None = None,
        in_primary: bool = True,
        by_groups: Callable[[str], Info] = lambda selection_id: ((), ()),
    ) -> None:
        super().__init__(part, points_type=points_type, unrecognised=unrecognised)
        self.legion = legion
        self.leader = leader
        self.in_primary = in_primary
        self.by_groups = by_groups

    @cached_property
    def kinds(self) -> list[_Kind]:
        """Its models as the document groups them, before equal ones are joined."""
        return [self._kind(row) for row in self.models]

    def army_unit(self, *, army_list: str | None, transports: tuple[str, ...], carrier_of: str | None) -> HeresyUnit:
        """The unit. `transports` are the names of those bought for it, `carrier_of` the unit it was bought for."""
        self.say_missing()
        for node in self.own:
            for row in self.model_rows(node):
                self.say_unreadable(node, row, read.unreadable(row))
                self.say_empty(node, row, read.left_empty(row))
        type_, subtypes = self._type()
        fortification = type_ == "fortification"
        rules, wargear, _, powers = self._features(self.of_unit)
        texts = (text for node in self.own for text in descriptions(node))
        rules = tuple(dict.fromkeys((*rules, *(rule for text in texts for rule in read.rules_of_subtype(text)))))
        _, _, disciplines, _ = self._features(self.own)  # those that hang on the model too
        kinds = _merged(self.kinds)
        single = len(kinds) == 1 and (kinds[0].count == 1 or fortification)
        if single:
            rules = tuple(dict.fromkeys((*rules, *kinds[0].rules)))
            wargear = tuple(dict.fromkeys((*wargear, *kinds[0].wargear)))
        if any(read.plain(category.name).startswith("Compulsory ") for category in self.node.categories):
            rules = tuple(rule for rule in rules if word(rule) != "support_squad")  # its data let it fill such a slot
        rules, side = self._legion_and_side(rules)
        marked, trait, predetermined, traits = self._warlord()
        on_group = marked and any(kind.leads for kind in kinds)
        groups = () if single or not kinds else tuple(_group(kind, type_, trait) for kind in kinds)
        unit = Unit(
            id=self.node.id,
            name=self._name(fortification),
            role=self.part.role,
            points=written(self.part.points(self.points_type)),
            slots_used=self.part.slots if self.part.role != read.NO_ROLE else 0,
            type=type_,
            subtypes=subtypes if not groups else (),
            models=groups or 1,
            profile=kinds[0].profile if single else None,
            rules=rules,
            wargear=wargear,
            options=tuple(_book_options(self)) if fortification else (),
            allegiance=side,
            army_list=army_list,
            warlord=marked and not (on_group and groups),
            warlord_trait=trait if not (on_group and groups) else None,
            predetermined_warlord_trait=predetermined,
            must_be_warlord=self._is_bound_to_lead(type_, predetermined),
            dedicated_transport_for=carrier_of,
            transport_options=transports,
            transport_capacity=self._capacity(),
            psychic_disciplines=tuple(dict.fromkeys((*disciplines, *self._arcana()))),
            psychic_powers=powers,
        )
        nodes = tuple(kind.node.id for kind in kinds) if groups else ()
        return HeresyUnit(unit, self.node.id, self.ids, nodes, traits=traits)

    # What it is

    def _name(self, fortification: bool) -> str:
        if fortification:
            known = word(self.node.name)
            for key, name in FORTIFICATIONS.items():
                if known.startswith(key):
                    return name
        return self.node.shown_name

    def _type(self) -> tuple[str, tuple[str, ...]]:
        types = [kind.type for kind in self.kinds if kind.type]
        if not types:
            types = [
                found
                for node in self.own
                for category in node.categories
                if (found := read.category_type(category.name))
            ]
        subtypes = self.kinds[0].subtypes if len(self.kinds) == 1 else ()
        if not self.kinds or not any(kind.subtypes for kind in self.kinds):
            named = (read.category_subtype(category.name) for category in self.node.categories)
            subtypes = tuple(dict.fromkeys((*subtypes, *(found for found in named if found))))
        independent = any(read.category_subtype(category.name) == "character" for category in self.node.categories)
        if len(self.kinds) == 1:  # what stands on the unit is his who is alone in it
            subtypes = tuple(dict.fromkeys((*subtypes, *("character",) * independent, *_granted(self.of_unit))))
        if not types:
            self.unrecognised(
                self.node.id,
                f"{self.node.name}: no unit type of the rulebook is recognised; it is checked as infantry.",
                f"«{self.node.name}»: тип боевой единицы не распознан; проверяется как пехота.",
            )
            return "infantry", subtypes
        return types[0], subtypes

    def _capacity(self) -> int | None:
        found = (
            read.capacity(profile)
            for node in self.own
            for profile in node.profiles
            if profile.type_name in ("Vehicle", "Fortification")
        )
        return next((places for places in found if places is not None), None)

    def in_a_fight(self, loadout: Loadout) -> Loadout:
        """What hangs on the unit goes to those whose it is; two weapons are one where the profile counts both."""
        hand_out(loadout, self.node)
        if any(read.counts_both_weapons(text) for node in self.own for text in descriptions(node)):
            drop_second_weapons(loadout)
        return loadout

    def completed(self, gear: Gear, nodes: tuple[SelectionState, ...], *, worn: bool) -> Gear:
        """With the rules that the data writes on the group of the models."""
        drop_repeated_powers(gear)
        shown = (rule.name.strip() for node in nodes if node.type == "model" for rule in self.by_groups(node.id)[1])
        gear.rules += dict.fromkeys(rule for rule in shown if rule not in gear.rules)
        if worn and nodes and nodes[0].type == "model" and not gear.weapons:
            gear.weapons += armed_by_name(nodes[0])
        return gear

    def bare(self) -> Iterator[SelectionState]:
        """Gear that the data says nothing of but its name."""
        for node in self.own:
            if node.type == "upgrade" and node.number > 0 and is_bare(node) and not _is_label(node):
                yield node

    # Its models

    def find_models(self) -> Iterator[ModelRow]:
        """The selections that are models; of a fortification its first part and those alike (Weapon Batteries).

        A wall's further strongpoints, which are one selection with it, are options.
        """
        models = list(self._model_nodes())
        if any(profile.type_name == "Fortification" for node in models for profile in node.profiles):
            first = self.model_row(models[0])
            models = [node for node in models if (row := self.model_row(node)) and first and row.name == first.name]
        for node in models:
            crew = [part for part in self._on(node) if part is not node and self.model_row(part)]
            if self.model_row(node) or len(crew) < 2:
                yield self._row(node)
            else:  # a battery: its gunners and its gun are upgrades with a profile each
                yield from map(self._row, crew)
        if not models:
            self.say(self.node, "its models are not recognised", "модели боевой единицы не распознаны")

    def _model_nodes(self) -> Iterator[SelectionState]:
        """Selections of type model, and what shows the characteristics of one and hangs on none."""
        whole = self.model_row(self.node)
        typed = any(node.type == "model" for node in self.own)
        if whole is not None and (not typed or whole.type_name == "Vehicle"):
            yield self.node
            return
        taken: set[str] = set()
        for node in self.own:
            is_model = node.type == "model" and not self._is_frame(node)
            if node.id not in taken and (is_model or (node is not self.node and self.model_row(node))):
                taken |= {part.id for part in self._on(node)}
                yield node

    def _is_frame(self, node: SelectionState) -> bool:
        """Whether it only stands around models, as the community writes some characters and squads."""
        return self.model_row(node) is None and any(
            part is not node and part.type == "model" and part.id in self.ids for part in node.walk()
        )

    def _on(self, node: SelectionState) -> tuple[SelectionState, ...]:
        """A selection with the upgrades on it, without other models and units.

        Some authors type as a model what a model chose: its weapon and a vexilla.
        """
        is_shown = node.type == "model" and self.model_row(node) is not None
        outside = {
            part.id
            for part in node.walk()
            if part is not node
            and (part.id not in self.ids or (part.type != "upgrade" and not (is_shown and self._is_gear(part))))
        }
        return tuple(walk_without(node, outside))

    def _is_gear(self, part: SelectionState) -> bool:
        return part.type == "model" and not any(self.model_row(below) for below in part.walk())

    def _row(self, node: SelectionState) -> ModelRow:
        own = self._on(node)
        shown = next((row for part in own for row in self.model_rows(part)), None)
        shown = shown or next(filter(read.is_model, self.by_groups(node.id)[0]), None)
        shown = shown or self.model_row(self.node)  # some authors write the profile of a squad on the unit
        shown = shown or self._namesake(node)
        is_gun = shown is not None and ARTILLERY in read.unit_type(shown.value("Unit Type") or "").subtypes
        return ModelRow(node, shown, own, shown.name if shown else node.shown_name, is_gun)

    def _namesake(self, node: SelectionState) -> ProfileState | None:
        """The row of those whom a model without one is called after: "Destroyer w/2x Serpenta" is a Destroyer."""
        rows = (row for part in self.own for row in self.model_rows(part))
        called = [row for row in rows if node.name.casefold().startswith(f"{row.name.casefold()} ")]
        return max(called, key=lambda row: len(row.name), default=None)

    def _kind(self, row: ModelRow) -> _Kind:
        node, shown = row.node, row.profile
        inside = node is not self.node
        kind = read.unit_type(shown.value("Unit Type") or "") if shown else read.UnitType(None, ())
        named = (read.category_subtype(category.name) for category in node.categories) if inside else ()
        rules, wargear, _, _ = self._features(row.own) if inside else ((), (), (), ())
        return _Kind(
            node=node,
            name=node.shown_name,
            count=node.number,
            type=kind.type,
            subtypes=tuple(dict.fromkeys((*kind.subtypes, *(found for found in named if found), *_granted(row.own)))),
            profile=read.model_profile(shown) if shown else None,
            wargear=wargear,
            rules=rules,
            leads=self.leader is not None and inside and any(part.id == self.leader.node_id for part in row.own),
        )

    # What they have

    def _arcana(self) -> Iterator[str]:
        for node in self.node.walk():
            if any(profile.type_name == ARCANA for profile in node.profiles):
                yield node.shown_name

    def _features(
        self, nodes: Sequence[SelectionState]
    ) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """Special rules, wargear, psychic disciplines and psychic powers. A weapon's rules are its own."""
        rules: dict[str, None] = {}
        wargear: dict[str, None] = {}
        disciplines: dict[str, None] = {}
        powers: dict[str, None] = {}
        for node in nodes:
            weapon = any(profile.type_name in read.WEAPON_PROFILES for profile in node.profiles)
            if not weapon:
                shown = (*node.rules, *(self.by_groups(node.id)[1] if node.type == "model" else ()))
                rules |= dict.fromkeys(rule.name for rule in shown if not _names_a_type(rule.name))
            if node.type != "upgrade" or node is self.node:
                continue
            if word(node.name).startswith(DISCIPLINE):
                disciplines[node.name.partition(":")[2].strip()] = None
            elif not _is_label(node):
                wargear[node.shown_name] = None
            powers |= dict.fromkeys(p.name for p in node.profiles if read.is_psychic(p))
        if any(pack in word(item) for item in wargear for pack in PACKS):
            rules.pop("Bulky (2)", None)  # it is the pack's, which the rulebook counts by itself (L545, L551)
        return tuple(rules), tuple(wargear), tuple(disciplines), tuple(powers)

    def _legion_and_side(self, rules: tuple[str, ...]) -> tuple[tuple[str, ...], str | None]:
        """Special rules with Legiones Astartes (X) made definite, and the printed allegiance.

        A unit has the rule by name, by category or by an upgrade such as "XVI: Sons of Horus". An X that is no Legion
        of the rulebook is replaced by the detachment's.
        """
        kept = [rule for rule in rules if not word(rule).startswith(LEGION_RULE)]
        side = next((word(rule) for rule in kept if word(rule) in SIDES), None)
        labelled = [label for node in self.own if (label := read.legion_label(node.name))]
        stated = [rule.partition("(")[2].rpartition(")")[0] for rule in rules if word(rule).startswith(LEGION_RULE)]
        named = [factions.words(x).en for x in stated if factions.legion(x)]
        belongs = any(
            word(name).startswith(LEGION_RULE)
            for node in self.own
            for name in (node.name, *(category.name for category in node.categories))
        ) or any(_is_of_any_legion(rule) for kind in self.kinds for rule in kind.rules)
        legions = labelled or named or ([self.legion] if self.legion and (stated or belongs) else [])
        return (*kept, *(f"Legiones Astartes ({legion})" for legion in dict.fromkeys(legions))), side

    # Who leads

    def _warlord(self) -> tuple[bool, str | None, str | None, tuple[str, ...]]:
        """Whether the warlord is here, the trait recorded, the trait printed, and traits taken from the data."""
        chosen = tuple(_traits(self.own))
        fixed = [node for node in self.own if word(node.name) != "warlord" and not node.group_names]
        printed = next(
            (trait for node in self.own if word(node.name) == "warlord" for trait in _traits(node.walk())),
            next(_traits(fixed), None),
        )
        here = self.leader is not None and self.leader.node_id in self.ids
        if not here or self.leader is None:
            taken = next((trait for trait in chosen if trait != printed), None)
            return False, taken, printed, chosen
        return True, self.leader.trait or next(iter(chosen), None), printed, chosen

    def _is_bound_to_lead(self, type_: str, printed: str | None) -> bool:
        """Whether its entry makes it the warlord: by a rule, or as a tank with a trait of its own."""
        if type_ == "vehicle" and printed is not None and self.in_primary:
            return True
        texts = (text for node in self.own for text in descriptions(node))
        return any(read.must_lead(text, in_primary=self.in_primary) for text in texts)


def _book_options(unit: HeresyReader) -> Iterator[Option]:
    for node in unit.own:
        if node is unit.node:
            continue
        name = BOOK_OPTIONS.get(word(node.name))
        price = node.cost(unit.points_type) if unit.points_type else Decimal(0)
        if name is not None:
            yield Option(name=name, count=node.number, points=int(price))
        elif node.type == "model" and node.number > 1:  # the community counts the wall's strongpoints as models
            yield Option(
                name=BOOK_OPTIONS["strongpoint"],
                count=node.number - 1,
                points=int(price / node.number) * (node.number - 1),
            )


def data_warlord(part: Part) -> str | None:
    """The node that carries the community's "Warlord" upgrade: the model it hangs on, or the unit."""
    for node in part.own():
        for child in node.selections:
            if child.type == "upgrade" and word(child.name) == "warlord":
                return node.id
    return None


def _traits(nodes: Iterable[SelectionState]) -> Iterator[str]:
    for node in nodes:
        for profile in node.profiles:
            if profile.type_name == read.TRAIT_PROFILE:
                named_for_it = (
                    node.type == "upgrade"
                    and not any(map(read.is_model, node.profiles))
                    and word(node.name) != "warlord"
                )
                yield read.trait_name(node.name if named_for_it else profile.name)
        yield from (read.trait_name(rule.name) for rule in node.rules if read.is_trait_rule(rule.name))


def _granted(nodes: Iterable[SelectionState]) -> Iterator[str]:
    """The sub-types that their texts give to whoever has them."""
    return (name for node in nodes for text in descriptions(node) for name in read.granted_subtypes(text))


def _names_a_type(rule: str) -> bool:
    """Rules that only explain a unit type come with the type's category."""
    return bool(read.category_type(rule) or word(rule).endswith(("sub_type", "unit_type")))


def _is_of_any_legion(rule: str) -> bool:
    """Whether it is "Legiones Astartes (X)", with the X of the rulebook."""
    _, _, legion = rule.partition("(")
    return word(rule).startswith(LEGION_RULE) and factions.legion(legion.rpartition(")")[0]) is None


def _is_label(node: SelectionState) -> bool:
    """An upgrade that is no wargear: a Legion, a rank of the list, the mark of the warlord."""
    name = word(node.name)
    return (
        name == "warlord"
        or name.startswith(LEGION_RULE)
        or read.legion_label(node.name) is not None
        or any(profile.type_name == read.TRAIT_PROFILE for profile in node.profiles)
    )


def _merged(kinds: list[_Kind]) -> list[_Kind]:
    merged: list[_Kind] = []
    for kind in kinds:
        alike = next((known for known in merged if known.same_as(kind)), None)
        if alike is None:
            merged.append(kind)
        else:
            alike.count += kind.count
    return merged


def _group(kind: _Kind, unit_type: str, trait: str | None) -> ModelGroup:
    return ModelGroup(
        name=kind.name,
        count=kind.count,
        type=kind.type if kind.type not in (None, unit_type) else None,
        subtypes=kind.subtypes,
        profile=kind.profile,
        wargear=kind.wargear,
        rules=tuple(rule for rule in kind.rules if not _is_of_any_legion(rule)),  # the unit's rule says of which
        warlord=kind.leads,
        warlord_trait=trait if kind.leads else None,
    )
