"""Why an entry is hidden, full or needed, what is behind a roster error, and which edits would repair it."""

from collections.abc import Iterator
from fractions import Fraction

import msgspec

from armybuilder.engine.findings import Text
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.gamedata.model import (
    Condition,
    ConditionGroup,
    Constraint,
    Field,
    Modifier,
    Modifiers,
    Number,
    Op,
    Query,
    Scope,
    plain,
)
from armybuilder.engine.gamedata.places import Place
from armybuilder.engine.roster.conditions import amount, group_holds, holds, times
from armybuilder.engine.roster.constraints import limits_of, measured
from armybuilder.engine.roster.data_findings import data_findings
from armybuilder.engine.roster.edits import UnknownNode
from armybuilder.engine.roster.evaluate import Evaluation
from armybuilder.engine.roster.offers import working
from armybuilder.engine.roster.scopes import ForceNode, GroupNode, Holder, Owner, SelectionNode
from armybuilder.engine.roster.state import ErrorKind, RosterError, RosterState


class Repair(msgspec.Struct, frozen=True, kw_only=True):
    """An edit that would help.

    Attributes:
        action: `add`, `remove`, `raise_limit`.
        node_id: the force or selection to do it at; None where the player chooses.
        entry_id: full path of the entry to add; None otherwise.
        count: how often.
    """

    action: str
    text: Text
    node_id: str | None = None
    entry_id: str | None = None
    count: int = 1


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """One link of the chain: what decides, whether it holds, and what it rests on.

    Attributes:
        kind: `hidden`, `group-hidden`, `category`, `maximum`, `minimum`, `modifier`, `condition`, `any`, `all`.
        holds: whether this condition or modifier is in force now.
        id: of the constraint, where there is one.
    """

    kind: str
    text: Text
    holds: bool
    id: str | None = None
    reasons: "tuple[Reason, ...]" = ()


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """Why an entry stands as it does in one place.

    Attributes:
        blocked: it cannot be taken (once more) without an objection of the data.
    """

    entry_id: str
    name: str
    blocked: bool
    reasons: tuple[Reason, ...]
    repairs: tuple[Repair, ...]


# ---- why ------------------------------------------------------------------


def why(library: Library, state: RosterState, *, node_id: str, entry_id: str) -> Explanation:
    """Why an entry (or group) under a force or selection is hidden, full or needed, and what would change that.

    Args:
        entry_id: full path, entry id or link id of an entry offered there, or full path of a group; the node's own
            entry id explains the selection itself.

    Raises:
        UnknownNode: no such force or selection, or the entry is not offered there.
    """
    evaluation = working(library, state)
    holder = evaluation.node(node_id)
    if holder is None:
        raise UnknownNode(f"The roster has no force or selection with the id {node_id!r}.")
    place = _find(library, holder, entry_id)
    if place is None and isinstance(holder, SelectionNode) and entry_id in {holder.place.path, holder.place.spec.id}:
        place, holder = holder.place, holder.parent
    if place is None:
        raise UnknownNode(f"Nothing with the id {entry_id!r} is offered there.")
    return _Teller(evaluation, holder, place).explanation()


def explain_error(library: Library, state: RosterState, error: RosterError) -> Explanation | None:
    """The chain behind a roster error; None where the data has no more to say than its message."""
    if error.node_id is None:
        return None
    evaluation = working(library, state)
    node = evaluation.node(error.node_id)
    if node is None:
        return None
    for holder in (node, *([node.parent] if isinstance(node, SelectionNode) else [])):
        place = _with_constraint(library, holder, error)
        if place is not None:
            return _Teller(evaluation, holder, place).explanation()
    return None


def _with_constraint(library: Library, holder: Holder, error: RosterError) -> Place | None:
    for place in _places(library, holder):
        if error.kind is ErrorKind.HIDDEN and place.spec.id == error.entry_id:
            return place
        for constraint in place.spec.constraints:
            if constraint.id == error.constraint_id and constraint.owner_id == error.entry_id:
                return place
    return None


def _places(library: Library, holder: Holder) -> Iterator[Place]:
    todo = list(library.roots(holder.catalogue_id) if isinstance(holder, ForceNode) else _place_of(holder).children)
    for place in todo:
        yield place
        if place.is_group:
            todo.extend(place.children)


def _place_of(holder: Holder) -> Place:
    assert isinstance(holder, SelectionNode)
    return holder.place


def _find(library: Library, holder: Holder, wanted: str) -> Place | None:
    if isinstance(holder, ForceNode):
        found = library.find_root(holder.catalogue_id, wanted)
    else:
        found = _place_of(holder).find(wanted)
    if found is not None:
        return found
    return next((place for place in _places(library, holder) if place.is_group and wanted == place.path), None)


class _Teller:
    def __init__(self, evaluation: Evaluation, holder: Holder, place: Place) -> None:
        self._evaluation = evaluation
        self._run = evaluation.counting
        self._library = evaluation.library
        self._holder = holder
        self._place = place
        taken = [child for child in holder.children if child.place is place]
        self._owner: Owner = GroupNode(place, holder) if place.is_group else (taken or [holder.ghost(place)])[0]
        self._repairs: list[Repair] = []

    def explanation(self) -> Explanation:
        place, owner = self._place, self._owner
        reasons: list[Reason] = []
        blocked = False
        for group in place.groups:
            if self._evaluation.group_hidden(group, self._holder):
                blocked = True
                reasons.append(self._hidden(group, GroupNode(group, self._holder), "group-hidden"))
        hidden = (
            self._evaluation.hidden(owner)
            if isinstance(owner, SelectionNode)
            else self._evaluation.group_hidden(place, self._holder)
        )
        if hidden:
            blocked = True
            reasons.append(self._hidden(place, owner, "hidden"))
        if (
            isinstance(owner, SelectionNode)
            and isinstance(self._holder, ForceNode)
            and not self._evaluation.fits(owner)
        ):
            blocked = True
            reasons.append(self._category(owner))
        for group in place.groups:
            for constraint in group.spec.constraints:
                found, full = self._limit(constraint, group, GroupNode(group, self._holder))
                blocked = blocked or full
                reasons += found
        for constraint in place.spec.constraints:
            found, full = self._limit(constraint, place, owner)
            blocked = blocked or full
            reasons += found
        return Explanation(
            entry_id=place.path,
            name=self._evaluation.name_of(owner),
            blocked=blocked,
            reasons=tuple(reasons),
            repairs=tuple(dict.fromkeys(self._repairs)),
        )

    # ---- hidden and categories --------------------------------------------

    def _hidden(self, place: Place, owner: Owner, kind: str) -> Reason:
        name = self._evaluation.name_of(owner)
        chain = self._modifiers(place.spec.hidden_modifiers, owner, wanted=False)
        base = place.spec.hidden
        text = (
            Text(f"{name} is hidden unless the data unlocks it.", f"{name} скрыто, пока данные не откроют доступ.")
            if base
            else Text(f"{name} is hidden by a condition.", f"{name} скрыто условием.")
        )
        return Reason(kind=kind, text=text, holds=True, reasons=chain)

    def _category(self, owner: SelectionNode) -> Reason:
        primary = self._run.primary_of(owner) or ""
        name = self._evaluation.category_name(primary, owner.force)
        force = self._evaluation.shown(owner.force)
        return Reason(
            kind="category",
            text=Text(f"{force} has no place for {name}.", f"В «{force}» нет места для «{name}»."),
            holds=True,
        )

    # ---- limits -----------------------------------------------------------

    def _limit(self, constraint: Constraint, place: Place, owner: Owner) -> tuple[list[Reason], bool]:
        low, high = limits_of(constraint, owner, self._run)
        count = measured(self._evaluation, constraint, place, owner)
        if count is None or (low is None and high is None):
            return [], False
        name = self._evaluation.name_of(owner)
        where = self._where(constraint, owner)
        chain = self._modifiers(constraint.modifiers, owner, wanted=None)
        found: list[Reason] = []
        full = False
        sign = "%" if constraint.percent else ""
        have = f"{_number(count)}{sign}"
        if high is not None:
            step = 1 if constraint.field is Field.SELECTIONS and not constraint.percent else 0
            full = Fraction(count) + step > high
            text = Text(
                f"At most {plain(high)}{sign} of {name} {where.en}; there are {have}.",
                f"Не больше {plain(high)}{sign} «{name}» {where.ru}; сейчас {have}.",
            )
            if full or chain:
                found.append(Reason(kind="maximum", text=text, holds=full, id=constraint.id, reasons=chain))
            if count > high:
                self._excess(place, owner, count, high)
        if low is not None:
            text = Text(
                f"At least {plain(low)}{sign} of {name} {where.en}; there are {have}.",
                f"Не меньше {plain(low)}{sign} «{name}» {where.ru}; сейчас {have}.",
            )
            if count < low:
                found.append(Reason(kind="minimum", text=text, holds=True, id=constraint.id, reasons=chain))
                self._shortage(place, owner, count, low)
        return found, full

    def _excess(self, place: Place, owner: Owner, count: Number | Fraction, high: Number) -> None:
        nodes = owner.members if isinstance(owner, GroupNode) else [owner] if isinstance(owner, SelectionNode) else []
        often = max(1, _gap_of(count, high))
        name = self._evaluation.name_of(owner)
        for node in nodes:
            if node.amount:
                label = self._evaluation.name(node)
                self._repairs.append(
                    Repair(
                        action="remove",
                        text=Text(f"Remove {often} of {label}.", f"Уберите {often}: {label}."),
                        node_id=node.id,
                        entry_id=place.path if not place.is_group else None,
                        count=often,
                    )
                )
        if not nodes:
            self._repairs.append(
                Repair(
                    action="remove", text=Text(f"Remove {often} of {name}.", f"Уберите {often}: {name}."), count=often
                )
            )

    def _shortage(self, place: Place, owner: Owner, count: Number | Fraction, low: Number) -> None:
        often = max(1, _gap_of(low, count))
        name = self._evaluation.name_of(owner)
        self._repairs.append(
            Repair(
                action="add",
                text=Text(f"Add {often} more of {name}.", f"Добавьте ещё {often}: {name}."),
                node_id=self._holder.id,
                entry_id=None if place.is_group else place.path,
                count=often,
            )
        )

    # ---- modifiers and conditions -----------------------------------------

    def _modifiers(self, modifiers: Modifiers, owner: Owner, *, wanted: bool | None) -> tuple[Reason, ...]:
        return tuple(self._modifier(modifier, owner, wanted=wanted) for modifier in modifiers)

    def _modifier(self, modifier: Modifier, owner: Owner, *, wanted: bool | None) -> Reason:
        applies = times(modifier, owner, self._run)
        inner: list[Reason] = [self._condition(condition, owner) for condition in modifier.conditions]
        inner += [self._group(group, owner) for group in modifier.groups]
        for repeat in modifier.repeats:
            en, ru = self._query(repeat, owner)
            inner.append(
                Reason(
                    kind="condition",
                    text=Text(f"for each {plain(repeat.value)}: {en}", f"за каждые {plain(repeat.value)}: {ru}"),
                    holds=applies > 0,
                )
            )
        inner += [self._modifier(step, owner, wanted=wanted) for step in modifier.steps]
        if modifier.field == "hidden":
            shows = modifier.value.strip().lower() != "true"
            text = Text("Shown when:", "Открыто, если:") if shows else Text("Hidden when:", "Скрыто, если:")
            if not inner:
                text = Text("Always shown.", "Всегда открыто.") if shows else Text("Always hidden.", "Всегда скрыто.")
            if wanted is False and applies and not shows:
                self._undo(modifier, owner)
            elif wanted is False and not applies and shows:
                self._unlock(modifier, owner)
        else:
            verb = {"set": ("is", "равен"), "increment": ("+", "+"), "decrement": ("−", "−")}.get(modifier.kind)
            en, ru = verb if verb is not None else (modifier.kind, modifier.kind)
            text = Text(f"The limit {en} {modifier.value} when:", f"Предел {ru} {modifier.value}, если:")
            if not inner:
                text = Text(f"The limit {en} {modifier.value}.", f"Предел {ru} {modifier.value}.")
        return Reason(kind="modifier", text=text, holds=applies > 0, reasons=tuple(inner))

    def _group(self, group: ConditionGroup, owner: Owner) -> Reason:
        any_of = group.kind == "or"
        inner = (
            *(self._condition(condition, owner) for condition in group.conditions),
            *(self._group(nested, owner) for nested in group.groups),
        )
        text = Text("any of:", "хотя бы одно:") if any_of else Text("all of:", "всё сразу:")
        return Reason(
            kind="any" if any_of else "all", text=text, holds=group_holds(group, owner, self._run), reasons=inner
        )

    def _condition(self, condition: Condition, owner: Owner) -> Reason:
        en, ru = self._query(condition, owner)
        now = amount(condition, owner, self._run) if condition.op < Op.INSTANCE_OF else None
        true = holds(condition, owner, self._run)
        if condition.op >= Op.INSTANCE_OF:
            negative = condition.op is Op.NOT_INSTANCE_OF
            what = self._label(condition.child_id)
            who = self._subject(condition, owner)
            text = Text(
                f"{who.en} {'is not' if negative else 'is'} {what}",
                f"{who.ru} {'– не' if negative else '–'} {what}",
            )
        else:
            words = _COMPARED[condition.op]
            value = plain(condition.value) + ("%" if condition.percent else "")
            have = "?" if now is None else _number(now)
            text = Text(f"{words[0]} {value} {en}: you have {have}", f"{words[1]} {value} {ru}: у вас {have}")
        return Reason(kind="condition", text=text, holds=true)

    def _query(self, query: Query, owner: Owner) -> tuple[str, str]:
        where = self._scope_words(query, owner)
        what = "" if query.child_id in {"", "any"} else self._label(query.child_id)
        if query.field is Field.LIMIT:
            return "agreed size of the game", "согласованный размер игры"
        if query.field is Field.FORCES:
            return f"detachments of {what or 'any kind'} {where.en}", f"отрядов «{what or 'любых'}» {where.ru}"
        unit = ""
        if query.field is Field.COST:
            cost_type = self._library.cost_type_by_id.get(query.cost_type)
            unit = f"{cost_type.name if cost_type is not None else query.cost_type} "
        return f"{unit}of {what or 'anything'} {where.en}", f"{unit}«{what or 'чего угодно'}» {where.ru}"

    def _where(self, constraint: Constraint, owner: Owner) -> Text:
        if constraint.scope is Scope.PARENT:
            name = self._evaluation.shown(self._holder)
            return Text(f"in {name}", f"в «{name}»")
        return self._scope_words(constraint, owner)

    def _subject(self, query: Query, owner: Owner) -> Text:
        """What an instanceOf condition speaks of."""
        match query.scope:
            case Scope.ANCESTOR:
                return Text("something above it", "то, что выше,")
            case Scope.PRIMARY_CATEGORY:
                return Text("its category", "его категория")
            case Scope.ROSTER:
                return Text("the list", "список")
            case _:
                words = self._scope_words(query, owner)
                name = words.en.removeprefix("in ")
                return Text(name, name)

    def _scope_words(self, query: Query, owner: Owner) -> Text:  # noqa: PLR0911 - a return for each scope
        match query.scope:
            case Scope.ROSTER:
                return Text("in the whole list", "во всём списке")
            case Scope.FORCE | Scope.PRIMARY_CATALOGUE:
                name = self._evaluation.shown(owner.force)
                return Text(f"in {name}", f"в «{name}»")
            case Scope.PARENT:
                parent = owner.parent
                name = self._evaluation.shown(parent) if parent is not None else ""
                return Text(f"in {name}", f"в «{name}»")
            case Scope.SELF:
                name = self._evaluation.name_of(owner)
                return Text(f"in {name}", f"в «{name}»")
            case Scope.ANCESTOR:
                return Text("above it", "выше по списку")
            case Scope.PRIMARY_CATEGORY:
                return Text("in its category", "в своей категории")
            case _:
                name = self._label(query.scope_id)
                return Text(f"in {name}", f"в «{name}»")

    def _label(self, wanted: str) -> str:
        return label_of(self._library, wanted)

    # ---- repairs ----------------------------------------------------------

    def _unlock(self, modifier: Modifier, owner: Owner) -> None:
        """What a modifier that would show the entry still lacks: things to add."""
        for condition in modifier.conditions:
            if not holds(condition, owner, self._run):
                self._towards(condition, owner)
        for group in modifier.groups:
            if not group_holds(group, owner, self._run):
                for condition in _all_conditions(group):
                    self._towards(condition, owner)

    def _undo(self, modifier: Modifier, owner: Owner) -> None:
        """What keeps a hiding modifier in force: undoing one condition is enough."""
        for condition in (*modifier.conditions, *(one for group in modifier.groups for one in _all_conditions(group))):
            if holds(condition, owner, self._run):
                self._away(condition, owner)

    def _towards(self, condition: Condition, owner: Owner) -> None:
        if condition.field is not Field.SELECTIONS or condition.percent or condition.op >= Op.INSTANCE_OF:
            return
        now = amount(condition, owner, self._run)
        if now is None:
            return
        gap = _needed(condition.op, now, condition.value)
        if gap > 0:
            self._suggest("add", condition, gap, owner)
        elif gap < 0:
            self._suggest("remove", condition, -gap, owner)

    def _away(self, condition: Condition, owner: Owner) -> None:
        if condition.field is not Field.SELECTIONS or condition.percent or condition.op >= Op.INSTANCE_OF:
            return
        now = amount(condition, owner, self._run)
        if now is None:
            return
        value = condition.value
        if condition.op in {Op.EQUAL, Op.LESS, Op.AT_MOST} and now <= value:
            target = value if condition.op is Op.LESS else value + 1
            self._suggest("add", condition, _gap_of(target, now), owner)
        elif condition.op in {Op.GREATER, Op.AT_LEAST} and now > 0:
            target = value if condition.op is Op.GREATER else value - 1
            self._suggest("remove", condition, _gap_of(now, target), owner)

    def _suggest(self, action: str, condition: Condition, count: int, owner: Owner) -> None:
        if count <= 0 or condition.child_id in {"", "any"}:
            return
        name = self._label(condition.child_id)
        where = self._scope_words(condition, owner)
        text = (
            Text(f"Add {count} × {name} {where.en}.", f"Добавьте {count} × {name} {where.ru}.")
            if action == "add"
            else Text(f"Remove {count} × {name} {where.en}.", f"Уберите {count} × {name} {where.ru}.")
        )
        entry_id = None
        node_id = None
        if action == "add":
            found = self._library.find_root(owner.force.catalogue_id, condition.child_id)
            if found is not None:
                entry_id, node_id = found.path, owner.force.id
        else:
            nodes = owner.force.walk()
            taken = next((node for node in nodes if node.matches(condition, self._run)), None)
            node_id = taken.id if taken is not None else None
        self._repairs.append(Repair(action=action, text=text, node_id=node_id, entry_id=entry_id, count=count))


_COMPARED = {
    Op.EQUAL: ("exactly", "ровно"),
    Op.NOT_EQUAL: ("not", "не"),
    Op.LESS: ("fewer than", "меньше"),
    Op.GREATER: ("more than", "больше"),
    Op.AT_LEAST: ("at least", "не меньше"),
    Op.AT_MOST: ("at most", "не больше"),
}


def _needed(op: Op, now: Number | Fraction, value: Number) -> int:
    """How many more (or, negative, fewer) would make a comparison true."""
    if op is Op.EQUAL:
        return _gap_of(value, now)
    if op is Op.AT_LEAST:
        return max(0, _gap_of(value, now))
    if op is Op.GREATER:
        return max(0, _gap_of(value, now) + 1)
    if op is Op.AT_MOST:
        return min(0, _gap_of(value, now))
    if op is Op.LESS:
        return min(0, _gap_of(value, now) - 1)
    return 1 if now == value else 0


def _gap_of(more: Number | Fraction, less: Number | Fraction) -> int:
    return int(Fraction(more) - Fraction(less))


def _all_conditions(group: ConditionGroup) -> Iterator[Condition]:
    yield from group.conditions
    for inner in group.groups:
        yield from _all_conditions(inner)


def label_of(library: Library, wanted: str) -> str:
    """The name of whatever has an id: an entry, group, link, category, force entry, catalogue or type."""
    return library.name_of(wanted) or library.name_of(wanted.rsplit("::", 1)[-1]) or wanted


def _number(value: Number | Fraction) -> str:
    if isinstance(value, Fraction):
        return f"{float(value):.1f}".rstrip("0").rstrip(".")
    return plain(value)


__all__ = ["Explanation", "Reason", "Repair", "data_findings", "explain_error", "label_of", "why"]
