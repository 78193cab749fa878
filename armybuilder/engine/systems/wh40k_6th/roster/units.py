"""Root selections of a force seen as units of the army document: split, counted, armed.

One root selection may be several units: a squad and its dedicated transport. Authors of the 6th edition data write the
models of most squads as upgrades that show a profile; authors of later data as models.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace as replace_fields
from functools import cached_property
from itertools import repeat

import msgspec

from armybuilder.engine.points import written
from armybuilder.engine.roster.state import ProfileState, SelectionState
from armybuilder.engine.systems.roster_reading.loadouts import models_in
from armybuilder.engine.systems.roster_reading.parts import Part
from armybuilder.engine.systems.roster_reading.unit_reader import (
    LoadoutReader,
    ModelRow,
    RosterUnit,
    Standing,
    is_promotion,
    standing,
)
from armybuilder.engine.systems.wh40k_6th.army import Group, Unit, Weapon
from armybuilder.engine.systems.wh40k_6th.roster import recognition as read
from armybuilder.engine.systems.wh40k_6th.roster.default_wargear import is_of_codex, readable, row_of_model, rows_named

WARLORD = "warlord"
TRANSPORT_GROUP = "transport"
"""A word in the names of the groups of options that hold dedicated transports."""

UNIQUE = "unique"
CHARACTER = "character"
INDEPENDENT = "independent character"
MONSTER = "monstrous creature"
PRINTED_TRAIT = "warlord trait:"
"""A rule of named characters: only they have the trait printed on the datasheet."""


def holds_models(root: SelectionState, points_type: str | None = None) -> bool:
    """Whether it is something to field: it shows models, or it costs points as no mere choice does."""
    return (
        root.type in ("unit", "model")
        or any(node.type == "model" for node in root.walk())
        or any(read.is_model(profile) for node in root.walk() for profile in node.profiles)
        or (points_type is not None and root.total(points_type) > 0)
    )


def parts(root: SelectionState, role: str) -> list[Part]:
    """The units of a root selection, each followed by the dedicated transports bought for it.

    Of a platoon or a formation each squad is a unit of its own; the first fills the slot and pays for what is chosen
    for all of them.
    """
    sections = tuple(_sections(root, role)) if role != "fortification" else ()
    if not sections:
        return _with_carriers(root, role)
    found: list[Part] = []
    for number, section in enumerate(sections):
        taken = role if number == 0 or role not in read.SLOTS else read.NO_SLOT
        whole, *carriers = _with_carriers(section, taken)
        whole = replace_fields(whole, frame=root, sections=sections)
        found += [whole, *(replace_fields(carrier, parent=whole) for carrier in carriers)]
    return found


def _sections(root: SelectionState, role: str) -> list[SelectionState]:
    """The units that stand in a root selection which shows no model besides them; none where it is one unit itself.

    None as well where all of them carry the guns that stand besides.

    In a slot those are squads whose models stand below them: what shows its model itself is one of a squadron, and so
    are several of its own name. In a formation every entry of a unit is one, and every vehicle, monster and independent
    character, unless a rule of it makes one unit of them all.
    """
    in_slot = role in read.SLOTS or role == read.NO_SLOT
    if root.type == "model" or any(map(read.is_model, root.profiles)):
        return []
    found = list(_nearest_units(root, in_slot=in_slot))
    inside = {below.id for node in found for below in node.walk()}
    frame = [node for node in root.walk() if node.id not in inside]
    named = root.name.casefold()
    if (
        any(node.type == "model" or any(map(_is_carried, node.profiles)) for node in frame)
        or any(_ONE_UNIT.search(rule.description) for node in frame for rule in node.rules)
        or (in_slot and all(named.startswith(node.name.casefold()) for node in found))
    ):
        return []
    return [part for node in found for part in (_sections(node, read.NO_SLOT) or [node])]


def _is_carried(row: ProfileState) -> bool:
    return read.is_model(row) or (read.is_weapon(row) and read.weapon_of(row).weapon is not None)


_ONE_UNIT = re.compile(r"(?:^|[.;])(?:(?!\bchoose\b|\bmay\b)[^.;])*\b(?:form|as) a single unit\b", re.IGNORECASE)
"""What the rule of a formation says whose units are one."""


def _nearest_units(above: SelectionState, *, in_slot: bool) -> Iterator[SelectionState]:
    for child in above.selections:
        if child.type == "unit":
            is_unit = not (in_slot and any(map(read.is_model, child.profiles)))
        else:
            is_unit = child.type == "model" and not in_slot and _fights_alone(child)
        if is_unit and child.number and any(_rows(child)):
            yield child
        elif child.type != "model":
            yield from _nearest_units(child, in_slot=in_slot)


def _rows(node: SelectionState) -> Iterator[ProfileState]:
    return (profile for below in node.walk() for profile in below.profiles if read.is_model(profile))


def _fights_alone(model: SelectionState) -> bool:
    return any(
        read.is_hull(row) or any(MONSTER in word for word in read.unit_type(row)) for row in _rows(model)
    ) or any(rule.name.strip().casefold() == INDEPENDENT for node in model.walk() for rule in node.rules)


def _with_carriers(root: SelectionState, role: str) -> list[Part]:
    carriers = tuple(_carriers(root)) if role != "fortification" else ()
    whole = Part(root, role, carriers)
    return [whole, *(Part(node, read.TRANSPORT, parent=whole) for node in carriers)]


def on_the_table(root: SelectionState) -> Standing | None:
    """What of a root selection stands on the table."""
    return standing(
        parts(root, role_by_category(root)),
        lambda part: [row.node for row in SquadReader(part, points_type=None).models],
    )


def role_by_category(root: SelectionState) -> str:
    """The role of a root selection by its category; empty for none."""
    names = [category.name for category in root.categories if category.primary]
    return next((role for name in names if (role := read.role_of(name))), "")


def _carriers(root: SelectionState) -> Iterator[SelectionState]:
    """Vehicles below a unit that has none itself; a walker may have a drop pod.

    Where the unit's models have no characteristics, they are those that were bought as transports; and the drones that
    vehicles of a squadron carry make no unit of them.
    """
    own = [profile for profile in root.profiles if read.is_model(profile)]
    if any(read.is_hull(profile) and profile.type_name != "Walker" for profile in own):
        return
    found = [node for node in _vehicles(root) if not _is_what_it_becomes(node, own)]
    inside = {node.id for vehicle in found for node in vehicle.walk()}
    outside = (profile for node in root.walk() if node.id not in inside for profile in node.profiles)
    is_theirs = bool(own) or any(map(read.is_model, outside))
    yield from (node for node in found if is_theirs or TRANSPORT_GROUP in node.group_names.casefold())


def _is_what_it_becomes(node: SelectionState, own: Sequence[ProfileState]) -> bool:
    """Whether a vehicle stands below a unit as what that was made: "Venerable Dreadnought" on a Dreadnought."""
    rows = [row for row in node.profiles if read.is_model(row)]
    return bool(rows) and all(any(is_promotion(before.name, row.name) for before in own) for row in rows)


def _vehicles(above: SelectionState) -> Iterator[SelectionState]:
    for child in above.selections:
        if _is_carrier(child):
            yield child
        else:
            yield from _vehicles(child)


def _is_carrier(node: SelectionState) -> bool:
    """A vehicle, or a unit that is nothing but one."""
    if any(read.is_hull(profile) for profile in node.profiles if read.is_model(profile)):
        return True
    shown = [profile for below in node.walk() for profile in below.profiles if read.is_model(profile)]
    return node.type == "unit" and bool(shown) and all(read.is_hull(profile) for profile in shown)


class SquadReader(LoadoutReader):
    """Reads one part of a root selection."""

    is_model = staticmethod(read.is_model)
    is_weapon = staticmethod(read.is_weapon)
    is_wargear = staticmethod(read.is_wargear)

    def known(self, name: str) -> tuple[ProfileState, ...]:
        """Guns and armour of the codexes."""
        return rows_named(name)

    def army_unit(self) -> RosterUnit[Unit]:
        """The unit as the document writes it; what cannot be read is said."""
        self.say_missing()
        for node, row in self.left_on_frame:
            self.say(
                node,
                f"{row.name} belongs to no unit and is left out",
                f"«{row.name}» не относится ни к одной боевой единице и не учитывается",
            )
        models = self.models
        if any(row.profile is not None and is_of_codex(row.profile) for row in models):
            self.say(
                self.node,
                "the data lacks characteristics of its models; those of the codex are taken",
                "в данных нет характеристик её моделей; взяты те, что в кодексе",
            )
        most = max((row.node.number for row in models), default=0)
        largest = next((row for row in models if row.node.number == most), None)
        merged = _merged((self._group(row, self.shared if row is largest else ()), row.node.id) for row in models)
        alone = bool(models) and models[0].node is self.node
        rules = tuple(dict.fromkeys((*self._rules(self.own if alone else self.shared), *self.rules_of_frame)))
        unique = self._is_unique(rules)
        unit = Unit(
            id=self.node.id,
            name=self.node.name if unique else self.node.shown_name,  # who there is only one of stays who he is
            models=tuple(group for group, _ in merged),
            points=written(self.part.points(self.points_type)),
            rules=rules,
            role=self.part.role,
            unique=unique,
        )
        leads = any(node.type == "upgrade" and node.name.casefold().split(",")[0] == WARLORD for node in self.own)
        ids = self.ids.union(node.id for node in self.part.around()) if self.part.is_first else self.ids
        return RosterUnit(unit, self.node.id, ids, tuple(node_id for _, node_id in merged), leads)

    @property
    def left_on_frame(self) -> Iterator[tuple[SelectionState, ProfileState]]:
        """What a formation shows besides its units that no figure counts; told with the first of them."""
        around = self.part.around() if self.part.is_first else ()
        return ((node, row) for node in around for row in node.profiles if node.number and read.is_weapon(row))

    @cached_property
    def rules_of_frame(self) -> tuple[str, ...]:
        """Special rules of the formation that it stands in."""
        return self._rules(self.part.around())

    @cached_property
    def is_independent(self) -> bool:
        """Whether a rule of it says that it is an independent character."""
        return any(rule.name.strip().casefold() == INDEPENDENT for node in self.own for rule in node.rules)

    def _is_unique(self, rules: tuple[str, ...]) -> bool:
        """Named characters: by the rule, category or unit type `Unique`, or by a warlord trait or gear of their own.

        Cypher has neither the type nor a trait in the data, but "Cypher's Bolt Pistol".
        """
        names = [*rules, *(category.name for category in self.node.categories)]
        printed = (word for node in self.own if (profile := self.model_row(node)) for word in read.unit_type(profile))
        return (
            any(name.casefold() == UNIQUE or name.casefold().startswith(PRINTED_TRAIT) for name in names)
            or UNIQUE in printed
            or (self.is_independent and self._has_gear_of_his_own())
        )

    def _has_gear_of_his_own(self) -> bool:
        own = f"{self.node.name.casefold()}'s "
        return any(profile.name.casefold().startswith(own) for node in self.own for profile in node.profiles)

    # Models

    def find_models(self) -> Iterator[ModelRow]:
        """The selections that are models, each with its profile.

        A model may wear its profile on its armour. Models without one have that of the unit around them; upgrades
        without one count as models where they are named like that profile.
        """
        around = self.model_row(self.node)
        is_fortification = self.part.role == "fortification"
        taken: set[str] = set()
        for node in self.own:
            if node.id in taken or (node is self.node and self._is_frame()):
                continue
            shown = self.model_row(node) or self._worn(node) or row_of_model(self.node.name, node.name)
            if node.type == "model" and shown is None:
                shown = next((profile for below in node.walk() if (profile := self.model_row(below))), None)
            alike = around is not None and node is not self.node and _is_one(node.name, around.name)
            if node.type != "model" and shown is None and not alike:
                continue
            on_it = covered(node)
            taken |= {below.id for below in on_it}
            profile = self._typed(self._promoted(shown, on_it) or around)
            if profile is None and not is_fortification:
                self.say(node, "its characteristics are not recognised", "характеристики не распознаны")
            yield ModelRow(node, profile, tuple(below for below in on_it if below.id in self.ids), node.shown_name)
        if not taken and is_fortification:  # obstacles and landing pads have no figures
            yield ModelRow(self.node, None, tuple(covered(self.node)), self.node.shown_name)
        elif not taken:
            self.say(self.node, "its models are not recognised", "модели боевой единицы не распознаны")

    def _worn(self, node: SelectionState) -> ProfileState | None:
        """The row of an armed model that stands on what it became: that of a sergeant on his rank of veteran."""
        rows = [row for child in node.selections if child.type == "upgrade" and (row := self.model_row(child))]
        armed = any(read.is_weapon(profile) for child in node.selections for profile in child.profiles)
        armed |= any(map(read.is_weapon, node.profiles)) and len(rows) == 1 and is_promotion(node.name, rows[0].name)
        worn = node is not self.node and node.type == "upgrade" and armed and len(rows) == 1
        return rows[0] if worn and not read.is_hull(rows[0]) else None

    def _promoted(self, shown: ProfileState | None, on_it: Sequence[SelectionState]) -> ProfileState | None:
        """The row of what an upgrade makes of a model: "Space Marine Vet Sgt." of a "Space Marine Sgt."."""
        if shown is None:
            return None
        rows = (row for node in on_it[1:] if node.type == "upgrade" for row in self.model_rows(node))
        return next((row for row in rows if is_promotion(shown.name, row.name)), shown)

    def _typed(self, row: ProfileState | None) -> ProfileState | None:
        """A row whose type is a figure with that of the other models."""
        if row is None or not read.names_no_type(row):
            return row
        others = (other for node in self.own for other in self.model_rows(node) if not read.names_no_type(other))
        other = next(others, None)
        return row if other is None else read.with_type_of(row, other)

    def _is_frame(self) -> bool:
        """Whether the selection only stands around its models."""
        shown = self.model_row(self.node)
        below = [node for node in self.own if node is not self.node]
        models = [node for node in below if node.type == "model"]
        if shown is None:
            return bool(models) or (self.node.type != "model" and any(self.model_row(node) for node in below))
        alike = any(_is_one(node.name, shown.name) for node in self.node.selections)
        if self.node.type == "model":  # a pilot without a row is no model beside his tank
            return alike
        return alike or any(all(self.model_row(part) is None for part in node.walk()) for node in models)

    def _group(self, row: ModelRow, shared: Sequence[SelectionState]) -> Group:
        model, profile = row.node, row.profile
        subtypes: tuple[str, ...] = ()
        if profile is not None:
            subtypes = read.unit_type(profile)
            self._say_type(model, profile)
            self.say_unreadable(model, profile, read.unreadable(profile))
        elif self.part.role == "fortification":
            subtypes = ("building",)
        if CHARACTER not in subtypes and self.is_independent:
            subtypes = (*subtypes, CHARACTER)
        return Group(
            name=model.shown_name,
            count=models_in(model),
            profile=read.model_profile(profile) if profile is not None else None,
            subtypes=subtypes,
            rules=self._rules(row.own) if model is not self.node else (),
            weapons=tuple(self._weapons([*row.own, *shared], model)),
        )

    def _say_type(self, model: SelectionState, profile: ProfileState) -> None:
        printed = next((row for node in self.own for row in self.model_rows(node) if row.id == profile.id), profile)
        if read.names_no_type(printed):
            written, taken = printed.value("Unit Type"), ", ".join(read.unit_type(profile))
            self.say(
                model,
                f"the data's unit type is “{written}”; it counts as {taken}",
                f"тип боевой единицы в данных – «{written}»; считается так: {taken}",
            )

    # What they have

    def _weapons(self, nodes: list[SelectionState], model: SelectionState) -> Iterator[Weapon]:
        for node in nodes:
            for profile in node.profiles:
                for row in readable(profile) if read.is_weapon(profile) else ():
                    weapon, why = read.weapon_of(row)
                    if weapon is None:
                        self.unrecognised(
                            node.id,
                            f"{profile.name}: “{why}” is not in the tables of the rules; the weapon is left out.",
                            f"«{profile.name}»: «{why}» нет в таблицах правил; оружие не учитывается.",
                        )
                    elif node.number < model.number:
                        yield msgspec.structs.replace(weapon, count=node.number)
                    else:
                        yield from repeat(weapon, node.number // model.number if model.number else 1)

    def _rules(self, nodes: Sequence[SelectionState]) -> tuple[str, ...]:
        """Special rules of these selections; those of a weapon stay with the weapon."""
        found: dict[str, None] = {}
        for node in nodes:
            if node is self.node or not any(map(read.is_weapon, node.profiles)):
                found |= dict.fromkeys(rule.name.strip() for rule in node.rules if rule.name.strip())
        return tuple(found)


def _is_one(name: str, row: str) -> bool:
    """Whether a selection is such a model by its name: a "Veteran", a "Veteran w/ Lasgun"."""
    return re.split(r"\s{1,9}w(?:/|ith\b)", name.casefold())[0] == row.casefold()


def covered(model: SelectionState) -> list[SelectionState]:
    """A model with everything on it, without further models that have a profile of their own."""
    found = [model]
    for child in model.selections:
        if not (child.type == "model" and any(SquadReader.model_row(node) for node in child.walk())):
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
