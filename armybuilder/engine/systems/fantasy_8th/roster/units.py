"""One unit or character of a roster as the army document has it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

from armybuilder.engine.points import written
from armybuilder.engine.roster.state import ProfileState, SelectionState
from armybuilder.engine.systems.fantasy_8th.army import Category, CommandRole, Profile, TroopType, Unit
from armybuilder.engine.systems.fantasy_8th.list_rules.magic_items import slot_of
from armybuilder.engine.systems.fantasy_8th.reference import MagicItem, folded
from armybuilder.engine.systems.fantasy_8th.roster import recognition as read
from armybuilder.engine.systems.fantasy_8th.roster.selections import (
    CAVALRY,
    COMMAND,
    bare_armour,
    bare_weapon,
    book_item,
    in_command,
    in_lores,
    in_mounts,
    is_army_standard,
    is_crew,
    is_item,
    is_mount,
    model_rows,
    type_of,
    type_of_mount,
    weapon_shown,
)
from armybuilder.engine.systems.fantasy_8th.roster.weapon_rows import one_spear
from armybuilder.engine.systems.roster_reading.notes import Unrecognised, ignored
from armybuilder.engine.systems.roster_reading.parts import Part
from armybuilder.engine.systems.roster_reading.unit_reader import RosterUnit, Standing, UnitReader, standing

DETACHMENTS, ATTACHED = "detachment", "attached unit"
CHARIOT = "chariot"
LANCE, SPEAR = "lance", "spear"
UNNAMED_CATEGORY: Category = "special"
"""As which a unit is checked whose category is not recognised."""

HEAVY: tuple[TroopType, ...] = ("war_machine", "chariot", "monster")

CHOICE_OF_WEAPONS = "armed to da teef"
"""A rule of an army book: the bearer has several weapons and picks one each round, whatever L768-770 says."""


class ListedUnit(Unit, frozen=True):
    """A unit read from a roster: what its army book says of its own magic items is known.

    Attributes:
        book_items: items of the army book, by folded name.
    """

    book_items: Mapping[str, MagicItem] = {}

    @cached_property
    def items(self) -> tuple[tuple[int, str, MagicItem | None], ...]:
        """Its magic items; those of the army book by the book's data, which outranks the rulebook (L2121)."""
        return tuple(
            (index, name, self.book_items.get(folded(name)) or read.common_item(name))
            for index, name in enumerate(self.magic_items)
        )


@dataclass(frozen=True, slots=True)
class Figure:
    """A row of characteristics somewhere in the unit."""

    node: SelectionState
    profile: ProfileState
    type: TroopType | None

    @property
    def text(self) -> str:
        """The troop type as it is written."""
        return self.profile.value("Type") or ""

    @property
    def shoots(self) -> bool:
        """Whether it has a Ballistic Skill, as beasts that are ridden have not."""
        return bool(read.number(self.profile.value("BS")))

    @property
    def hunts(self) -> bool:
        """Whether it is a beast that stands in the ranks by itself and shoots."""
        return self.shoots and self.node.type == "model"


@dataclass(frozen=True, slots=True)
class FantasyUnit(RosterUnit[ListedUnit]):
    """A unit with what the document does not say.

    Attributes:
        prices: what was paid for each magic item, in points.
    """

    prices: Mapping[str, Decimal] = field(default_factory=dict)


class Body(NamedTuple):
    """What the models of a unit are.

    Attributes:
        bodies: the selections whose numbers are those of its models: neither mounts nor crews; none where it shows
            none.
        rides: whether it stands on mounts or is drawn.
    """

    type: TroopType
    profile: Profile
    bodies: tuple[SelectionState, ...]
    rides: bool


def parts(root: SelectionState, category: Category, parent: Part | None = None) -> Iterator[Part]:
    """The unit of a selection that stands under a force, followed by the detachments and teams bought with it."""
    team = parent is not None and _is_attached(root)
    whole = Part(root, category, () if team else tuple(_detachments(root)), parent=parent)
    yield whole
    for detachment in whole.inside:
        yield from parts(detachment, category, whole)


def on_the_table(root: SelectionState) -> Standing | None:
    """What of a root selection stands on the table."""
    named = root.primary_category
    category = (read.category_of(named.name) if named else None) or UNNAMED_CATEGORY
    return standing(parts(root, category), lambda part: RegimentReader(part, army=0, points_type=None).body().bodies)


def _detachments(node: SelectionState) -> Iterator[SelectionState]:
    for child in node.selections:
        apart = DETACHMENTS in folded(child.group_names) or _is_attached(child)
        if apart and any(model_rows(part) for part in child.walk()):
            yield child
        else:
            yield from _detachments(child)


def _is_attached(node: SelectionState) -> bool:
    """Whether a selection is a unit that stands beside the one it is bought with: a weapon team of Skaven."""
    return any(folded(read.rule_name(rule.name)) == ATTACHED for part in node.walk() for rule in part.rules)


class RegimentReader(UnitReader):
    """Reads a unit, character or detachment.

    Args:
        army: number of its force in the order of the list.
    """

    is_model = staticmethod(read.is_model)

    def __init__(self, part: Part, *, army: int, points_type: str | None, unrecognised: Unrecognised = ignored) -> None:
        super().__init__(part, points_type=points_type, unrecognised=unrecognised)
        self.army = army

    @property
    def category(self) -> Category:
        """The share of the army it counts to."""
        return self.part.role  # type: ignore[return-value]

    def army_unit(self) -> FantasyUnit:
        """The unit, and BS-05 for what is missing."""
        troop_type, profile, bodies, mounted = self.body()
        models = sum(node.number for node in bodies) if bodies else max(1, self.node.number)
        character = self.category in ("lord", "hero")
        items, book_items, prices = self._items()
        rules = self._rules()
        weapons = self._weapons(rules)
        weapons = one_spear(weapons, mounted=mounted or troop_type == "monster", charging=self._has_cavalry_spears)
        banners = [item for item in (book_items.get(folded(name)) or read.common_item(name) for name in items) if item]
        unit = ListedUnit(
            id=self.node.id,
            name=self.node.shown_name,
            entry=read.without_remarks(self.node.name),
            category=self.category,
            points=written(self.part.points(self.points_type)),
            models=1 if character and bodies else models,
            troop_type=troop_type,
            profile=profile,
            army_standard=character and self._carries_the_army_standard(),
            special_character=character and self._is_named(),
            mounted=mounted,
            command=tuple(self._command()),
            wizard_level=self._wizard_level(),
            lore=self._lore(),
            loremaster=any(folded(rule).startswith("loremaster") for rule in rules),
            magic_items=tuple(items),
            magic_items_allowed=True if any(item.category != "banner" for item in banners) else None,
            magic_banner_allowed=any(item.category == "banner" for item in banners),
            weapons=() if troop_type == CHARIOT and not character else weapons,  # each of its crew has his own
            armour=self._armour(),
            rules=rules,
            one_choice_group=self.part.parent.node.id
            if self.part.parent
            else (self.node.id if self.part.inside else None),
            army=self.army,
            book_items=book_items,
        )
        general = any(folded(node.name) == "general" for node in self.own if node is not self.node)
        return FantasyUnit(unit, self.node.id, self.ids, leads=general, prices=prices)

    # Its parts

    @cached_property
    def _command_ids(self) -> frozenset[str]:
        """Selections of the command group and of the chosen crew, which are no rank and file."""
        return frozenset(part.id for node in self.own if in_command(node) for part in node.walk())

    @cached_property
    def _crew_ids(self) -> frozenset[str]:
        return frozenset(part.id for node in self.own if is_crew(node, self.node) for part in node.walk())

    @cached_property
    def _mount_ids(self) -> frozenset[str]:
        """Mounts of characters with what they carry, and beasts that draw or bear."""
        body = self._heavy_type
        alone = len([node for node in self.own if model_rows(node)]) == 1
        if alone and self.category not in ("lord", "hero"):
            return frozenset()
        is_of_mount = in_mounts if alone else is_mount  # a Daemon Prince is a monster on whom nobody rides
        return frozenset(
            part.id
            for node in self.own
            if node is not self.node and is_of_mount(node)
            if body is None or not any(type_of(profile) == body for profile in model_rows(node))
            for part in node.walk()
        )

    @cached_property
    def _heavy_type(self) -> TroopType | None:
        """What the unit itself is, if it is a machine, chariot or monster: such a model is nobody's mount."""
        if self.category in ("lord", "hero"):
            return None
        types = [figure.type for figure in self.figures]
        return next((heavy for heavy in HEAVY if heavy in types), None)

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """Rows of characteristics of everybody but command models and crew."""
        ridden = self._mount_ids if self.category in ("lord", "hero") else ()
        return tuple(
            Figure(node, profile, type_of(profile) or (type_of_mount(node, profile) if node.id in ridden else None))
            for node in self.own
            if node.id not in self._command_ids and node.id not in self._crew_ids
            for profile in model_rows(node)
        )

    # Who rides what

    @cached_property
    def ridden(self) -> tuple[Figure, ...]:
        """Rows of what the others ride, whichever of the two has the type: riders have a Ballistic Skill, beasts none.

        A beast that shoots is nobody's mount: it hunts beside its handlers.
        """
        if self._heavy_type is not None:
            return ()
        archers = [figure for figure in self.figures if figure.shoots]
        riding = any(figure.type in CAVALRY for figure in archers or self.figures)
        mounts = [figure for figure in self.figures if figure.node.id in self._mount_ids or figure.type in read.RIDDEN]
        if self.category in ("lord", "hero"):
            return tuple(
                figure
                for figure in self.figures
                if figure.node.id in self._mount_ids
                or (archers and not figure.shoots and (figure in mounts or (riding and figure.type is None)))
            )
        beasts = tuple(figure for figure in self.figures if not figure.shoots)
        if archers and beasts and any(figure.type in CAVALRY for figure in self.figures):
            return beasts
        on_foot = any(figure.type is None and figure not in mounts for figure in self.figures)
        return tuple(figure for figure in mounts if not figure.hunts) if on_foot else ()

    @property
    def handled(self) -> bool:
        """Whether beasts that shoot stand beside those who drive them."""
        return not self.ridden and any(figure.type in read.RIDDEN and figure.hunts for figure in self.figures)

    @cached_property
    def hero(self) -> Figure:
        """The character among his mount and companions: who stands on the unit itself, or whom it is called after."""
        on_foot = [figure for figure in self.figures if figure not in self.ridden] or list(self.figures)
        own = [figure for figure in on_foot if figure.node is self.node]
        name = folded(self.node.name)
        called = [figure for figure in on_foot if name.startswith(folded(figure.profile.name))]
        return (own or called or on_foot)[0]

    # Body

    def body(self) -> Body:
        """What its models are; what cannot be read is said."""
        if not self.figures:
            self.say(self.node, "its models are not recognised", "модели не распознаны")
            return Body("infantry", Profile(), (), rides=False)
        return self._character() if self.category in ("lord", "hero") else self._rank_and_file()

    def _character(self) -> Body:
        main = self.hero
        mounts = [figure.type for figure in self.figures if figure is not main and figure.type]
        for node in self.mounts_without_rows():
            mounts += ["chariot"] if CHARIOT in folded(node.name).split() else []
            self.say(node, "the game data has no characteristics of it", "в данных игры нет его характеристик")
        ridden = next((result for mount, result in read.RIDDEN.items() if mount in mounts), None)
        if ridden is None and main.type is None:
            self._say_no_type(main)
        kind = ridden or main.type or self.untold_type
        return Body(kind, read.profile_of(main.profile), (main.node,), rides=ridden is not None or kind in CAVALRY)

    def mounts_without_rows(self) -> Iterator[SelectionState]:
        """What a character rides or drives, of which neither it nor what stands below it shows a row but a crew's."""
        for node in self.own:
            kinds = [type_of(row) for part in node.walk() for row in model_rows(part)]
            if node.id not in self._mount_ids or not in_mounts(node) or model_rows(node) or any(kinds):
                continue
            if CHARIOT in folded(node.name).split() or node.selections:  # an Oath Stone is stood on
                yield node

    def _rank_and_file(self) -> Body:
        typed = [figure for figure in self.figures if figure.type is not None]
        riders = [figure for figure in self.figures if figure.type is None]
        heavy = self._heavy_type
        if heavy is not None:
            shown = [figure for figure in typed if figure.type == heavy]
            return Body(heavy, read.profile_of(shown[0].profile), self._bodies(shown), rides=heavy == "chariot")
        mounts = [figure.type for figure in typed if figure.type in read.RIDDEN]
        if self.ridden and mounts:
            kind = next(result for mount, result in read.RIDDEN.items() if mount in mounts)
            riders = [figure for figure in self.figures if figure not in self.ridden]
            return Body(kind, self._most(riders), _nodes(riders), rides=True)
        if typed:
            fighting = [figure for figure in typed if figure.type != "unique"] or typed
            of_type = Counter[TroopType | None]()
            for figure in fighting:
                of_type[figure.type] += figure.node.number
            main = max(fighting, key=lambda figure: (of_type[figure.type], figure.node.number))
            riding = main.type in CAVALRY
            fighting += riders if self.handled else []
            return Body(main.type or "infantry", read.profile_of(main.profile), _nodes(fighting), riding)
        self._say_no_type(riders[0])
        kind = self.untold_type
        return Body(kind, self._most(riders), _nodes(riders), rides=kind in CAVALRY)

    def _bodies(self, shown: list[Figure]) -> tuple[SelectionState, ...]:
        """The machines, chariots or monsters: some data buys them as an upgrade of a frame."""
        framed = tuple(
            child
            for child in self.node.selections
            if not model_rows(child) and not in_command(child) and any(is_crew(part, child) for part in child.walk())
        )
        return framed if any(child.number for child in framed) else _nodes(shown)

    @staticmethod
    def _most(figures: list[Figure]) -> Profile:
        return read.profile_of(max(figures, key=lambda figure: figure.node.number).profile)

    @cached_property
    def untold_type(self) -> TroopType:
        """What models are of which the data says neither type nor mount: infantry, but cavalry with lances [decision].

        Data of the community prints them as "Lance (mounted models only)".
        """
        lances = any(folded(name) == LANCE for name in self._weapons(()))
        return "cavalry" if lances else "infantry"

    def _say_no_type(self, figure: Figure) -> None:
        stated = figure.text.strip() or "–"
        words = {"cavalry": ("cavalry", "кавалерия"), "infantry": ("infantry", "пехота")}[self.untold_type]
        self.say(
            self.node,
            f"the troop type “{stated}” is not recognised; it is checked as {words[0]}",
            f"тип войск «{stated}» не распознан; проверяется как {words[1]}",
        )

    # What it carries

    def _items(self) -> tuple[list[str], dict[str, MagicItem], dict[str, Decimal]]:
        """Names of the magic items; those that an army book prints, with its data; what each cost."""
        names: list[str] = []
        book: dict[str, MagicItem] = {}
        prices: dict[str, Decimal] = {}
        for node in self.own:
            if node is self.node or not read.names_an_item(node):
                continue
            known = read.common_item(node.name)
            name = known.en if known else read.without_remarks(node.name)
            names += [name] * max(1, node.number)
            prices[name] = node.cost(self.points_type) if self.points_type else Decimal(0)
            if known is None:
                book[folded(name)] = book_item(name, node, prices[name])
        return names, book, prices

    @cached_property
    def _item_ids(self) -> frozenset[str]:
        return frozenset(node.id for node in self.own if node is not self.node and read.names_an_item(node))

    def _geared(self, *, crew: bool = False) -> Iterator[SelectionState]:
        """Selections with ordinary gear of the models that fight in the ranks."""
        for node in self.own:
            elsewhere = node.id in self._command_ids | self._mount_ids | self._item_ids
            if not elsewhere and (crew or node.id not in self._crew_ids):
                yield node

    def _weapons(self, rules: tuple[str, ...]) -> tuple[str, ...]:
        machine = any(figure.type == "war_machine" for figure in self.figures)
        geared = tuple(self._geared(crew=not machine))
        shown = (weapon_shown(node, row) for node in geared for row in node.profiles if row.type_name == read.WEAPON)
        bare = (name for node in geared if (name := bare_weapon(node)))
        names = tuple(dict.fromkeys((*shown, *bare)))
        if any(folded(rule) == CHOICE_OF_WEAPONS for rule in rules):
            return tuple(name for name in names if name != "Additional hand weapon")
        return names

    @property
    def _has_cavalry_spears(self) -> bool:
        """Whether what the data calls a spear is that of cavalry: its row speaks of the charge (L849-L850)."""
        rows = (row for node in self._geared() for row in node.profiles if row.type_name == read.WEAPON)
        return any(
            folded(row.name) == SPEAR and "charge" in (row.value("Special Rules") or "").casefold() for row in rows
        )

    def _armour(self) -> tuple[str, ...]:
        """Ordinary armour; a suit that is paid for is worn instead of the one that comes with the model."""
        priced: dict[str, Decimal] = {}
        for node in self._geared():
            shown = [profile.name for profile in node.profiles if profile.type_name == read.ARMOUR]
            told = [rule.name for rule in node.rules if read.is_piece_of_armour(rule.name, node)]
            told += filter(None, (bare_armour(node),))
            bare = (
                self.points_type is None or node is self.node or bool(model_rows(node))
            )  # then it is the model's price
            price = Decimal(0) if bare else node.cost(self.points_type or "")
            for name in shown or told:
                priced.setdefault(read.without_remarks(name), price)
        worn = {piece: price for piece, price in priced.items() if "barding" not in folded(piece)}
        suits = {piece: price for piece, price in worn.items() if slot_of(folded(piece)) == "suit"}
        bought = any(suits.values())
        return tuple(piece for piece in worn if not (bought and piece in suits and not suits[piece]))

    def _rules(self) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for node in self.own:
            if node.id not in self._command_ids and node.id not in self._item_ids and node.id not in self._crew_ids:
                found |= dict.fromkeys(read.rule_name(rule.name) for rule in node.rules)
        resistance = max((read.number(figure.profile.value("MR")) or 0 for figure in self.figures), default=0)
        if resistance:
            found = {rule: None for rule in found if not folded(rule).startswith("magic resistance")}
            found[f"Magic Resistance ({resistance})"] = None
        return tuple(rule for rule in found if rule)

    # Command, magic

    def _command(self) -> Iterator[CommandRole]:
        """Its command group; where handlers and beasts have a champion each, the unit has one."""
        if self.category in ("lord", "hero"):
            return
        champions = Counter[str]()
        others: list[CommandRole] = []
        owners = {child.id: owner.name for owner in self.own for child in owner.selections}
        for node in self.own:
            name, number = folded(node.name), max(1, node.number)
            if node is self.node or not (in_command(node) or name in COMMAND):
                continue
            if "standard bearer" in name or name == "standard":
                others += ["standard_bearer"] * number
            elif "musician" in name:
                others += ["musician"] * number
            elif model_rows(node) or name == "champion":
                champions[owners.get(node.id, "")] += number
        leading: list[CommandRole] = ["champion"] * max(champions.values(), default=0)
        yield from (*leading, *others)

    def _carries_the_army_standard(self) -> bool:
        return any(is_army_standard(node.name) and not is_item(node) for node in self.own)

    def _is_named(self) -> bool:
        """Whether it is a special character: its type says so, or its magic items are fixed by the army book."""
        fixed = any(
            folded(child.group_names).split("::")[0].startswith(("magic items:", "magic items weapon"))
            for node in self.own
            if node is self.node or model_rows(node)
            for child in node.selections
        )
        return fixed or any(read.is_special_character(figure.text) for figure in self.figures)

    def _wizard_level(self) -> int:
        """By an option, or by a rule of the unit or of the character himself."""
        holders = (self.node, self.hero.node) if self.figures else (self.node,)
        said = (*(node.name for node in self.own), *(rule.name for node in holders for rule in node.rules))
        return max((level for name in said if (level := read.wizard_level(name))), default=0)

    def _lore(self) -> str | None:
        options = [node for node in self.own if node is not self.node and not node.profiles]
        chosen = (read.lore_name(node.name) for node in options)
        mastered = (read.lore_name(rule.name) for rule in self.node.rules)
        of_the_book = (read.without_remarks(node.name) for node in options if in_lores(node))
        return next((lore for lores in (chosen, mastered, of_the_book) for lore in lores if lore), None)


def _nodes(figures: list[Figure]) -> tuple[SelectionState, ...]:
    """The selections with such rows, each once."""
    return tuple({figure.node.id: figure.node for figure in figures}.values())
