"""A side as a target: how its models take hits, in which order they fall, or which armour value is struck."""

from dataclasses import replace
from functools import cached_property

import numpy as np

from armybuilder.engine.combat.steps.damage import Ints, Lineup
from armybuilder.engine.combat.steps.saves import best_save
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.systems.horus_heresy.combat.note_words import NOTES
from armybuilder.engine.systems.horus_heresy.combat.ruled_unit import RuledUnit
from armybuilder.engine.systems.horus_heresy.combat.vehicle_damage import Armour, Squadron
from armybuilder.engine.systems.horus_heresy.combat.wounding import Defence
from armybuilder.engine.systems.horus_heresy.matchup import ArmourFacings, Group, roll_needed
from armybuilder.engine.systems.matchups import ModelNotes

KNIGHTS = ("knight", "titan")
GIANTS = ("super_heavy", "super_heavy_vehicle", "lumbering", *KNIGHTS)
"""Sub-types: walkers as tall as houses; super-heavies and Lumbering Flyers with them (L2266, L2328, L2431)."""
EVADE = 5
"""The Evade reaction gives Shrouded (5+) (L482)."""

JUMP, THRUST = 12, 6
"""Movement with jump packs, and what jet packs add (L543-L549)."""


class Unit(RuledUnit):
    """The same as a target: what hits meet on its models, or on its vehicles."""

    @cached_property
    def toughness(self) -> int | None:
        """The Toughness that rolls to wound use."""
        return self.majority((group.profile.toughness, group.count) for group in self.groups)

    @cached_property
    def strength(self) -> int | None:
        """The Strength that Graviton Pulse asks models for that have none of their own (L3059)."""
        return self.majority((group.profile.strength, group.count) for group in self.groups)

    @cached_property
    def charging_movement(self) -> int | None:
        """The Movement of the slowest model as a charge reads it: 12 for units with jump packs (L543)."""
        slowest = min((m for i in self.present if (m := self.groups[i].profile.movement) is not None), default=None)
        return max(JUMP, slowest or 0) if self.all_models_have("jump pack") else slowest

    @cached_property
    def reach_of_a_move(self) -> int:
        """Inches it may go in a movement phase: jump packs make them 12, jet packs add 6 (L543-L549)."""
        return (self.charging_movement or 0) + (THRUST if self.all_models_have("jet pack") else 0)

    @cached_property
    def weapon_skill(self) -> int | None:
        """The Weapon Skill that blows at this unit are compared with.

        Source: vehicles WS 1, immobilised 0 (L2087); Knights and Titans their own (L2292); buildings 0 (L2622).
        """
        return self.majority((self._skill(group), group.count) for group in self.groups)

    def _skill(self, group: Group) -> int | None:
        if group.type == "fortification":
            return 0
        if group.type == "vehicle" and not group.is_a(*KNIGHTS):
            return 0 if group.immobilised else 1
        return group.profile.weapon_skill

    @cached_property
    def is_zooming(self) -> bool:
        """Whether a Flyer in it does not hover (L2371, L2423)."""
        return any(self.groups[i].is_zooming for i in self.present)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Groups in the order in which they fall: damaged ones first, Characters last (L757-L775, L1711)."""
        return tuple(sorted(self.present, key=self._fall))

    def _fall(self, index: int) -> tuple[bool, bool, int]:
        group = self.groups[index]
        character = group.is_a("character", "primarch")
        return (character, group.wounds_left is None, index)

    @cached_property
    def lineup(self) -> Lineup:
        """All models in the order in which they fall; kinds are indices into `order`."""
        wounds: list[int] = []
        kinds: list[int] = []
        for kind, index in enumerate(self.order):
            group = self.groups[index]
            each = self._wounds(index)
            row = [each] * group.count
            if group.wounds_left is not None:
                row[0] = min(each, group.wounds_left)
            wounds += row
            kinds += [kind] * group.count
        return Lineup(tuple(wounds), tuple(kinds))

    @cached_property
    def row(self) -> Lineup:
        """What Perils eat into: the wounds of its models, or the hull points of its vehicles (L1809)."""
        if not self.is_vehicle:
            return self.lineup
        squadron = self.squadron
        return Lineup(
            (squadron.hull_points - squadron.lost, *(squadron.hull_points,) * (squadron.vehicles - 1)),
            (0,) * squadron.vehicles,
        )

    def _wounds(self, index: int) -> int:
        return 1 if self.groups[index].profile.wounds is None else max(1, self.groups[index].profile.wounds or 1)

    def defences(self, *, charged: bool = False) -> tuple[Defence, ...]:
        """How the models of each group in `order` take a hit.

        Args:
            charged: the unit charges the attacker, who shoots in Overwatch: no cover saves (L488).
        """
        heavy = all(self.groups[i].is_a("heavy") for i in self.present)
        return tuple(self._defence(i, heavy=heavy, charged=charged) for i in self.order)

    @cached_property
    def slain(self) -> Ints:
        """Models gone at each position of the lineup; guns without crew are gone at once (L1644)."""
        taken = self.lineup.slain
        guns = [self.groups[index].is_a("artillery") for index in self.order]
        if not any(guns) or all(guns):
            return taken
        crew = sum(self.lineup.standing(kind) for kind, gun in enumerate(guns) if not gun)
        return np.asarray(np.where(crew == 0, self.models, taken))

    @cached_property
    def is_uniform(self) -> bool:
        """Whether all models take hits in the same way."""
        return len({replace(defence, place="") for defence in self.defences()}) <= 1

    def _defence(self, index: int, *, heavy: bool, charged: bool) -> Defence:
        group, rules = self.groups[index], self.rules[index]
        profile = group.profile
        shielded = "blast-shield" in rules
        cover = self.side.cover if group.cover is None else group.cover
        covered = not charged and not group.is_a("antigrav")
        return Defence(
            toughness=self.toughness,
            own_toughness=profile.toughness,
            strength=self.strength if profile.strength is None else profile.strength,
            wounds=self._wounds(index),
            armour=roll_needed(profile.armour_save),
            invulnerable=roll_needed(profile.invulnerable_save),
            cover=best_save((roll_needed(cover), 5 if shielded else None)) if covered else None,
            feel_no_pain=best_save((roll_needed(profile.feel_no_pain), rules.roll("feel no pain", 7))),
            shrouded=self.shrouded(index),
            adamantium_will=rules.roll("adamantium will", 5),
            eternal_warrior="eternal warrior" in rules or group.type == "primarch",
            hardness=rules.number("battle-hardened", 1) or 0,
            machine=group.is_a("automata", "dreadnought"),
            prey=group.is_a("automata", "dreadnought", "primarch", "monstrous"),
            daemon=group.is_a("daemon"),
            rerolls_blast_saves=heavy,
            swarm="swarm" in rules,
            blast_shield=shielded,
            place=f"{self.place}/models/{index}",
        )

    def shrouded(self, index: int) -> int | None:
        """The Shrouded roll of a group, never for Fearless models. Source: HH L482, L3299 [text]."""
        if self.is_fearless(index):
            return None
        evade = EVADE if self.side.reaction == "evade" and self._may_evade else None
        return best_save((self.rules[index].roll("shrouded", 6), evade))

    @cached_property
    def _may_evade(self) -> bool:
        """Fearless models gain nothing by it, their comrades do. Source: HH L482, L1577, L1645, L3003, L3317 [text]."""
        if self.any_model_has("slow and purposeful"):
            return False
        groups = [self.groups[i] for i in self.present]
        return not any(g.immobilised or g.is_a("automata", "artillery") or g.profile.movement == 0 for g in groups)

    @property
    def first_vehicle(self) -> Group:
        """The vehicle that stands for the squadron: the first one."""
        return self.groups[self.order_of_vehicles[0]]

    @cached_property
    def order_of_vehicles(self) -> tuple[int, ...]:
        """Groups with vehicles, damaged ones first (L2119)."""
        return tuple(sorted(self.present, key=lambda i: (self.groups[i].hull_points_left is None, i)))

    @cached_property
    def is_huge(self) -> bool:
        """Super-heavies, Knights, Titans and Lumbering Flyers (L2266, L2328, L2431)."""
        return self.first_vehicle.is_a(*GIANTS)

    @property
    def is_building(self) -> bool:
        """A fortification with an armour value."""
        return self.is_vehicle and self.first_vehicle.type == "fortification"

    def armour(self, facing: str, *, charged: bool = False) -> Armour:
        """The armour value and defences on one facing.

        Args:
            charged: as for `defences`.

        Raises:
            BadDocument: the document does not give that armour value.
        """
        index = self.order_of_vehicles[0]
        group = self.groups[index]
        value = group.profile.armour
        if isinstance(value, ArmourFacings):
            value = getattr(value, facing)
        if value is None:
            raise BadDocument(f"The {facing} armour value is needed.", f"{self.place}/models/{index}/profile/AV")
        cover = self.side.cover if group.cover is None else group.cover
        building = group.type == "fortification"
        return Armour(
            value=value,
            cover=None if charged or group.is_a("antigrav") else roll_needed(cover),
            invulnerable=roll_needed(group.profile.invulnerable_save),
            shrouded=self.shrouded(index),
            slow=group.is_a("slow"),
            huge=self.is_huge,
            zooming=self.is_zooming,
            building=building,
            damage_modifier=-1 if building and "massive fortification" in self.rules[index] else 0,
        )

    @cached_property
    def squadron(self) -> Squadron:
        """The hull points of the vehicles.

        Raises:
            BadDocument: no hull points are given.
        """
        index = self.order_of_vehicles[0]
        group = self.groups[index]
        points = group.profile.hull_points
        if not points:
            raise BadDocument("The number of Hull Points is needed.", f"{self.place}/models/{index}/profile/HP")
        left = points if group.hull_points_left is None else min(points, group.hull_points_left)
        return Squadron(
            vehicles=self.models,
            hull_points=points,
            lost=points - left,
            immobile=group.immobilised,
            cargo="deadly cargo" in self.rules[index],
            huge=self.is_huge,
        )

    def note_mixture(self, notes: ModelNotes) -> None:
        """Say what a unit of different models is simplified to."""
        if self.is_vehicle:
            profiles = {(g.profile, g.subtypes) for g in (self.groups[i] for i in self.present)}
            if len(profiles) > 1:
                notes.approximate("squadron", NOTES["squadron"])
        elif not self.is_uniform:
            notes.assume(NOTES["wounds_go_to"])
