"""Root selections of a force seen as units of the army document: split, counted, armed.

One root selection may be several units: a squad and its dedicated transport. Authors of the 6th edition data write the
models of most squads as upgrades that show a profile; authors of later data as models.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import repeat

import msgspec

from armybuilder.engine.points import written
from armybuilder.engine.roster.state import ProfileState, SelectionState
from armybuilder.engine.systems.roster_reading.notes import Unrecognised, say_missing
from armybuilder.engine.systems.roster_reading.parts import Part
from armybuilder.engine.systems.wh40k_6th.army import Group, Unit, Weapon
from armybuilder.engine.systems.wh40k_6th.roster import recognition as read

WARLORD = "warlord"
UNIQUE = "unique"
CHARACTER = "character"
INDEPENDENT = "independent character"
PRINTED_TRAIT = "warlord trait:"
"""A rule of named characters: only they have the trait printed on the datasheet."""


@dataclass(frozen=True, slots=True)
class RosterUnit:
    """A unit of the army document with the roster nodes it was made of.

    Attributes:
        groups: the node of each model group.
        ids: every selection that is part of it.
        leads: the data marks its warlord.
    """

    unit: Unit
    node_id: str
    groups: tuple[str, ...]
    ids: frozenset[str]
    leads: bool


def holds_models(root: SelectionState, points_type: str | None = None) -> bool:
    """Whether it is something to field: it shows models, or it costs points as no mere choice does."""
    return (
        root.type in ("unit", "model")
        or any(node.type == "model" for node in root.walk())
        or any(read.is_model(profile) for node in root.walk() for profile in node.profiles)
        or (points_type is not None and root.total(points_type) > 0)
    )


def parts(root: SelectionState, role: str) -> list[Part]:
    """The unit of a root selection, followed by the dedicated transports bought for it."""
    carriers = tuple(_carriers(root)) if role != "fortification" else ()
    return [Part(root, role, carriers), *(Part(node, read.TRANSPORT) for node in carriers)]


def _carriers(root: SelectionState) -> Iterator[SelectionState]:
    """Vehicles below a unit that has none itself; a walker may have a drop pod."""
    shown = [profile for node in root.walk() for profile in node.profiles if read.is_model(profile)]
    own = [profile for profile in root.profiles if read.is_model(profile)]
    if not (own or any(not read.is_hull(profile) for profile in shown)):
        return
    if any(read.is_hull(profile) and profile.type_name != "Walker" for profile in own):
        return

    def search(above: SelectionState) -> Iterator[SelectionState]:
        for child in above.selections:
            if _is_carrier(child):
                yield child
            else:
                yield from search(child)

    yield from search(root)


def _is_carrier(node: SelectionState) -> bool:
    """A vehicle, or a unit that is nothing but one."""
    if any(read.is_hull(profile) for profile in node.profiles if read.is_model(profile)):
        return True
    shown = [profile for below in node.walk() for profile in below.profiles if read.is_model(profile)]
    return node.type == "unit" and bool(shown) and all(read.is_hull(profile) for profile in shown)


def _model_profile(node: SelectionState) -> ProfileState | None:
    return next((profile for profile in node.profiles if read.is_model(profile)), None)


class RosterUnitReader:
    """Reads one part of a root selection."""

    def __init__(self, part: Part, *, points_type: str | None, unrecognised: Unrecognised) -> None:
        self.part = part
        self.node = part.node
        self.points_type = points_type
        self.unrecognised = unrecognised
        self.own = list(part.own())
        self.ids = frozenset(node.id for node in self.own)
        self.independent = any(rule.name.strip().casefold() == INDEPENDENT for node in self.own for rule in node.rules)

    def read(self) -> RosterUnit:
        """The unit as the document writes it; what cannot be read is said."""
        self._say_what_is_missing()
        models = self.models()
        on_models = {node.id for model, _ in models for node in covered(model)}
        outside = [node for node in self.own if node.id not in on_models]
        most = max((model.number for model, _ in models), default=0)
        largest = next((model for model, _ in models if model.number == most), None)
        merged = _merged(
            (self._group(model, profile, outside if model is largest else []), model.id) for model, profile in models
        )
        rules = self._rules([node for node in self.own if node.id not in on_models or models[0][0] is self.node])
        unit = Unit(
            id=self.node.id,
            name=self.node.shown_name,
            models=tuple(group for group, _ in merged),
            points=written(self.part.points(self.points_type)),
            rules=rules,
            role=self.part.role,
            unique=self._is_unique(rules),
        )
        leads = any(node.type == "upgrade" and node.name.casefold().split(",")[0] == WARLORD for node in self.own)
        return RosterUnit(unit, self.node.id, tuple(node_id for _, node_id in merged), self.ids, leads)

    def _say_what_is_missing(self) -> None:
        for node in self.own:
            say_missing(node, self.unrecognised)

    def _is_unique(self, rules: tuple[str, ...]) -> bool:
        """Named characters: by the rule, category or unit type `Unique`, or by a warlord trait of their own."""
        names = [*rules, *(category.name for category in self.node.categories)]
        printed = (word for node in self.own if (profile := _model_profile(node)) for word in read.unit_type(profile))
        return (
            any(name.casefold() == UNIQUE or name.casefold().startswith(PRINTED_TRAIT) for name in names)
            or UNIQUE in printed
        )

    # Models

    def models(self) -> list[tuple[SelectionState, ProfileState | None]]:
        """The selections that are models, each with its profile.

        A model may wear its profile on its armour. Models without one have that of the unit around them; upgrades
        without one count as models where they are named like that profile.
        """
        around = _model_profile(self.node)
        found: list[tuple[SelectionState, ProfileState | None]] = []
        taken: set[str] = set()
        for node in self.own:
            if node.id in taken or (node is self.node and self._is_frame()):
                continue
            shown = _model_profile(node)
            if node.type == "model" and shown is None:
                shown = next((profile for below in node.walk() if (profile := _model_profile(below))), None)
            alike = around is not None and node is not self.node and node.name.casefold() == around.name.casefold()
            if node.type == "model" or shown is not None or alike:
                found.append((node, shown or around))
                taken |= {below.id for below in covered(node)}
        if not found and self.part.role == "fortification":  # obstacles and landing pads have no figures
            return [(self.node, None)]
        for node, profile in found:
            if profile is None and self.part.role != "fortification":
                self.unrecognised(
                    node.id,
                    f"{node.shown_name}: its characteristics are not recognised.",
                    f"«{node.shown_name}»: характеристики не распознаны.",
                )
        if not found:
            self.unrecognised(
                self.node.id,
                f"{self.node.shown_name}: its models are not recognised.",
                f"«{self.node.shown_name}»: модели боевой единицы не распознаны.",
            )
        return found

    def _is_frame(self) -> bool:
        """Whether the selection only stands around its models."""
        shown = _model_profile(self.node)
        below = [node for node in self.own if node is not self.node]
        models = [node for node in below if node.type == "model"]
        if shown is None:
            return bool(models) or (self.node.type != "model" and any(_model_profile(node) for node in below))
        alike = any(node.name.casefold() == shown.name.casefold() for node in self.node.selections)
        return alike or any(all(_model_profile(part) is None for part in node.walk()) for node in models)

    def _group(self, model: SelectionState, profile: ProfileState | None, shared: list[SelectionState]) -> Group:
        nodes = [node for node in covered(model) if node.id in self.ids]
        subtypes: tuple[str, ...] = ()
        if profile is not None:
            subtypes = read.unit_type(profile)
            for text in read.unreadable(profile):
                self.unrecognised(
                    model.id,
                    f"{profile.name}: the characteristic {text!r} is no number and is not checked.",
                    f"«{profile.name}»: характеристика «{text}» не число и не проверяется.",
                )
        elif self.part.role == "fortification":
            subtypes = ("building",)
        rules = self._rules(nodes)
        if CHARACTER not in subtypes and self.independent:
            subtypes = (*subtypes, CHARACTER)
        return Group(
            name=model.shown_name,
            count=model.number,
            profile=read.model_profile(profile) if profile is not None else None,
            subtypes=subtypes,
            rules=rules if model is not self.node else (),
            weapons=tuple(self._weapons([*nodes, *shared], model)),
        )

    # What they have

    def _weapons(self, nodes: list[SelectionState], model: SelectionState) -> Iterator[Weapon]:
        for node in nodes:
            for profile in node.profiles:
                if profile.type_name != read.WEAPON_PROFILE:
                    continue
                weapon, why = read.weapon_of(profile)
                if weapon is None:
                    self.unrecognised(
                        node.id,
                        f"{profile.name}: “{why}” is not in the tables of the rules; the weapon is left out.",
                        f"«{profile.name}»: «{why}» нет в таблицах правил; оружие не учитывается.",
                    )
                    continue
                if node.number < model.number:
                    yield msgspec.structs.replace(weapon, count=node.number)
                else:
                    yield from repeat(weapon, node.number // model.number if model.number else 1)

    def _rules(self, nodes: list[SelectionState]) -> tuple[str, ...]:
        """Special rules of these selections; those of a weapon stay with the weapon."""
        found: dict[str, None] = {}
        for node in nodes:
            if all(profile.type_name != read.WEAPON_PROFILE for profile in node.profiles) or node is self.node:
                found |= dict.fromkeys(rule.name.strip() for rule in node.rules if rule.name.strip())
        return tuple(found)


def covered(model: SelectionState) -> list[SelectionState]:
    """A model with everything on it, without further models that have a profile of their own."""
    found = [model]
    for child in model.selections:
        if not (child.type == "model" and any(_model_profile(node) for node in child.walk())):
            found += covered(child)
    return found


def _merged(groups: Iterable[tuple[Group, str]]) -> list[tuple[Group, str]]:
    """Groups that differ in nothing but their number as one."""
    found: dict[Group, tuple[int, str]] = {}
    for group, node_id in groups:
        key = msgspec.structs.replace(group, count=0)
        count, first = found.get(key, (0, node_id))
        found[key] = (count + group.count, first)
    return [(msgspec.structs.replace(key, count=count), node_id) for key, (count, node_id) in found.items()]
