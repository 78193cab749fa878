"""The chain behind what the data decides, in words: modifiers, conditions, and edits that would turn them."""

from collections.abc import Iterator
from fractions import Fraction

import msgspec

from armybuilder.engine.findings import Text, in_figures
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.gamedata.model import (
    COMPARISONS,
    Condition,
    ConditionGroup,
    Field,
    Modifier,
    Modifiers,
    Op,
    Query,
    Scope,
)
from armybuilder.engine.gamedata.numbers import Number, number, plain
from armybuilder.engine.gamedata.specs import MESSAGES
from armybuilder.engine.roster.conditions import amount, group_holds, holds, local_count, times
from armybuilder.engine.roster.evaluation import Evaluation
from armybuilder.engine.roster.nodes import Owner


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
        wants: what it asks for in one word, where one says it: of a condition `some` or `none` of `name`, `kind` or
            `not-kind` (to be one), `each` (so often); of a modifier `show`, `hide`, `more`, `fewer` or `set`; of a
            limit `most` or `least`; else empty.
        name: what the condition or limit speaks of.
        number: how many of it are asked for or allowed; by how much or to what a limit is changed; None where that
            plays no part.
        have: how many there are.
    """

    kind: str
    text: Text
    holds: bool
    id: str | None = None
    wants: str = ""
    name: str = ""
    number: float | None = None
    have: float | None = None
    reasons: "tuple[Reason, ...]" = ()


def _counts_things(repeat: Query) -> bool:
    """Whether a repeat counts selections of something that has a name."""
    return repeat.field is Field.SELECTIONS and repeat.child_id not in {"", "any"}


class Chains:
    """Tells what one evaluation rests on.

    Attributes:
        repairs: edits that would change it, as they were found on the way.
    """

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._run = evaluation.counting
        self._library = evaluation.library
        self.repairs: list[Repair] = []
        self._of_each = False  # the words are about each selection that a local group finds

    def modifiers(self, modifiers: Modifiers, owner: Owner, *, wanted: bool | None) -> tuple[Reason, ...]:
        """A reason for each modifier, resting on its conditions.

        Args:
            wanted: what the changed flag should be (repairs lead there); None where numbers are changed.
        """
        return tuple(self._modifier(modifier, owner, wanted=wanted) for modifier in modifiers)

    def of_others(self, owner: Owner, field: str, *, wanted: bool | None) -> tuple[Reason, ...]:
        """The same for modifiers that are written on other nodes and change a field of this one (§13)."""
        if self._run.reaching is None:
            return ()
        return tuple(
            self._modifier(modifier, source, wanted=wanted)
            for modifier, source in self._run.reaching.on(owner, field)
            if not modifier.steps
        )

    def _modifier(self, modifier: Modifier, owner: Owner, *, wanted: bool | None) -> Reason:
        applies = times(modifier, owner, self._run)
        inner: list[Reason] = [self._condition(condition, owner) for condition in modifier.conditions]
        inner += [self._group(group, owner) for group in modifier.groups]
        for repeat in modifier.repeats:
            (en, ru), each = self._query(repeat, owner), in_figures(plain(repeat.value))
            inner.append(
                Reason(
                    kind="condition",
                    text=Text(f"for each {en.removeprefix('of ')}", f"за каждое: {ru}")
                    if repeat.value == 1
                    else Text(f"for each {each.en} {en}", f"за каждые {each.ru}: {ru}"),
                    holds=applies > 0,
                    wants="each",
                    name=self._label(repeat.child_id) if _counts_things(repeat) else en.removeprefix("of "),
                    number=float(repeat.value),
                    have=_figure(amount(repeat, owner, self._run)),
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
        elif modifier.field in MESSAGES:
            text = Text("Said when:", "Сказано, если:") if inner else Text("Always said.", "Сказано всегда.")
        else:
            verb = {"set": ("is", "равен"), "increment": ("+", "+"), "decrement": ("−", "−")}.get(modifier.kind)
            en, ru = verb if verb is not None else (modifier.kind, modifier.kind)
            value = in_figures(plain(number(modifier.value)))
            end = ("when:", "если:") if inner else None
            if modifier.kind == "set" and number(modifier.value) < 0:
                text = Text("There is no limit", "Предела нет")
            else:
                text = Text(f"The limit {en} {value.en}", f"Предел {ru} {value.ru}")
            text = Text(f"{text.en} {end[0]}", f"{text.ru}, {end[1]}") if end else Text(f"{text.en}.", f"{text.ru}.")
        wants, by = _changes(modifier)
        return Reason(kind="modifier", text=text, holds=applies > 0, wants=wants, number=by, reasons=tuple(inner))

    def _group(self, group: ConditionGroup, owner: Owner) -> Reason:
        if group.local is not None:
            return self._local(group, owner)
        inner = (
            *(self._condition(condition, owner) for condition in group.conditions),
            *(self._group(nested, owner) for nested in group.groups),
        )
        return Reason(
            kind="any" if group.kind == "or" else "all",
            text=_joined(group),
            holds=group_holds(group, owner, self._run),
            reasons=inner,
        )

    def _local(self, group: ConditionGroup, owner: Owner) -> Reason:
        """A group whose members are asked of each selection it finds: none of them has a count of its own here."""
        assert group.local is not None
        en, ru = self._query(group.local, owner)
        words, value = _COMPARED[group.local.op], in_figures(plain(group.local.value))
        have = local_count(group, owner, self._run)
        self._of_each = True
        inner = tuple(
            Reason(kind="condition", text=self._condition_words(condition, owner), holds=have is not None and have > 0)
            for condition in group.conditions
        )
        self._of_each = False
        return Reason(
            kind="all",
            text=Text(
                f"{words[0]} {value.en} {en} for which all is true (there are {have or 0}):",
                f"{words[1]} {value.ru} {ru}, для которых верно всё (сейчас {have or 0}):",
            ),
            holds=group_holds(group, owner, self._run),
            reasons=inner,
        )

    def _condition(self, condition: Condition, owner: Owner) -> Reason:
        text, now = self._condition_words(condition, owner), None
        if condition.op < Op.INSTANCE_OF:
            now = amount(condition, owner, self._run)
            have = in_figures("?" if now is None else written(now))
            text = Text(f"{text.en}: you have {have.en}", f"{text.ru}: у вас {have.ru}")
        wants, number_of = _wanted(condition)
        return Reason(
            kind="condition",
            text=text,
            holds=holds(condition, owner, self._run),
            wants=wants,
            name=self._label(condition.child_id) if wants else "",
            number=number_of,
            have=_figure(now),
        )

    def _condition_words(self, condition: Condition, owner: Owner) -> Text:
        if condition.op in _PLAIN_WORDS:
            return _PLAIN_WORDS[condition.op]
        if condition.op in {Op.INSTANCE_OF, Op.NOT_INSTANCE_OF}:
            negative = condition.op is Op.NOT_INSTANCE_OF
            what = self._label(condition.child_id)
            who = self._subject(condition, owner)
            return Text(
                f"{who.en} {'is not' if negative else 'is'} {what}",
                f"{who.ru} {'– не' if negative else '–'} {what}",
            )
        en, ru = self._query(condition, owner)
        words, value = _COMPARED[condition.op], in_figures(plain(condition.value))
        sign = "%" if condition.percent else ""
        return Text(f"{words[0]} {value.en}{sign} {en}", f"{words[1]} {value.ru}{sign} {ru}")

    def _query(self, query: Query, owner: Owner) -> tuple[str, str]:
        where = self.scope_words(query, owner)
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

    def _subject(self, query: Query, owner: Owner) -> Text:
        """What an instanceOf condition speaks of."""
        match query.scope:
            case Scope.ANCESTOR:
                return Text("something above it", "то, что выше,")
            case Scope.PRIMARY_CATEGORY:
                return Text("its category", "его категория")
            case Scope.ROSTER:
                return Text("the list", "ростер")
            case Scope.SELF if self._of_each:
                return Text("it", "оно")
            case _:
                words = self.scope_words(query, owner)
                name = words.en.removeprefix("in ")
                return Text(name, name)

    def scope_words(self, query: Query, owner: Owner) -> Text:  # noqa: PLR0911 - a return for each scope
        """Where a query counts."""
        match query.scope:
            case Scope.ROSTER:
                return Text("in the whole list", "во всём ростере")
            case Scope.FORCE | Scope.PRIMARY_CATALOGUE:
                name = self._evaluation.shown(owner.force)
                return Text(f"in {name}", f"в «{name}»")
            case Scope.PARENT:
                if owner.parent is None:  # a detachment stands in the list itself
                    return Text("in the whole list", "во всём ростере")
                name = self._evaluation.shown(owner.parent)
                return Text(f"in {name}", f"в «{name}»")
            case Scope.SELF if self._of_each:
                return Text("in it", "в нём")
            case Scope.SELF:
                name = self._evaluation.name_of(owner)
                return Text(f"in {name}", f"в «{name}»")
            case Scope.ANCESTOR:
                return Text("in its unit", "в своём отряде")
            case Scope.PRIMARY_CATEGORY:
                return Text("in its category", "в своей категории")
            case _:
                name = self._label(query.scope_id)
                return Text(f"in {name}", f"в «{name}»")

    def _label(self, wanted: str) -> str:
        return label_of(self._library, wanted)

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
            self._suggest("add", condition, gap_of(target, now), owner)
        elif condition.op in {Op.GREATER, Op.AT_LEAST} and now > 0:
            target = value if condition.op is Op.GREATER else value - 1
            self._suggest("remove", condition, gap_of(now, target), owner)

    def _suggest(self, action: str, condition: Condition, count: int, owner: Owner) -> None:
        if count <= 0 or condition.child_id in {"", "any"}:
            return
        name = self._label(condition.child_id)
        where = self.scope_words(condition, owner)
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
        self.repairs.append(Repair(action=action, text=text, node_id=node_id, entry_id=entry_id, count=count))


def _joined(group: ConditionGroup) -> Text:
    """How the members of a group are put together."""
    if group.kind == "count":
        low = "0" if group.least is None else plain(group.least)
        if group.most is None:
            return Text(f"at least {low} of:", f"не меньше {low} из:")
        high = plain(group.most)
        return Text(f"{low} to {high} of:", f"от {low} до {high} из:")
    if group.kind in COMPARISONS:
        en, ru = _RELATIONS[group.kind]
        return Text(f"each number {en} the next:", f"каждое число {ru} следующего:")
    if group.kind in _WORDS_OF_GROUPS:
        return _WORDS_OF_GROUPS[group.kind]
    return Text(f"calculated ({group.kind}), not 0:", f"вычислено ({group.kind}), не 0:")


_WORDS_OF_GROUPS = {
    "and": Text("all of:", "всё сразу:"),
    "or": Text("any of:", "хотя бы одно:"),
    "not": Text("not all of:", "не всё сразу:"),
}
_RELATIONS = {
    "greater": ("more than", "больше"),
    "greaterOrEqual": ("at least", "не меньше"),
    "less": ("less than", "меньше"),
    "lessOrEqual": ("at most", "не больше"),
    "equal": ("equal to", "равно числу"),
    "notEqual": ("not equal to", "не равно числу"),
}
_PLAIN_WORDS = {
    Op.ALWAYS: Text("always", "всегда"),
    Op.NEVER: Text("never", "никогда"),
    Op.BEFORE: Text("it was taken before this one", "взято раньше этого"),
}
_COMPARED = {
    Op.EQUAL: ("exactly", "ровно"),
    Op.NOT_EQUAL: ("not", "не"),
    Op.LESS: ("fewer than", "меньше"),
    Op.GREATER: ("more than", "больше"),
    Op.AT_LEAST: ("at least", "не меньше"),
    Op.AT_MOST: ("at most", "не больше"),
}


def _wanted(condition: Condition) -> tuple[str, float | None]:
    """What a condition asks for in one word, and how many: some or none of something, or to be (no) such thing."""
    op, value = condition.op, float(condition.value)
    if op in {Op.INSTANCE_OF, Op.NOT_INSTANCE_OF}:
        return ("kind" if op is Op.INSTANCE_OF else "not-kind"), None
    counts = condition.field is Field.SELECTIONS and not condition.percent and condition.child_id not in {"", "any"}
    if counts and ((op in {Op.EQUAL, Op.AT_MOST} and value == 0) or (op is Op.LESS and value <= 1)):
        return "none", 0
    if counts and op in {Op.EQUAL, Op.AT_LEAST} and value >= 1:
        return "some", value
    if counts and (op is Op.GREATER or (op is Op.NOT_EQUAL and value == 0)):
        return "some", value + 1
    return "", None


def _changes(modifier: Modifier) -> tuple[str, float | None]:
    """What a modifier does in one word, and with what number: shows or hides, raises, lowers or sets a limit."""
    if modifier.field == "hidden":
        return ("hide" if modifier.value.strip().lower() == "true" else "show"), None
    if modifier.field in MESSAGES or modifier.steps or modifier.kind not in _CHANGES:
        return "", None
    by = float(number(modifier.value))
    if modifier.kind != "set" and by < 0:
        return ("fewer" if modifier.kind == "increment" else "more"), -by
    return _CHANGES[modifier.kind], by


_CHANGES = {"set": "set", "increment": "more", "decrement": "fewer"}


def _figure(value: Number | Fraction | None) -> float | None:
    return None if value is None else float(value)


def _needed(op: Op, now: Number | Fraction, value: Number) -> int:
    """How many more (or, negative, fewer) would make a comparison true."""
    if op is Op.EQUAL:
        return gap_of(value, now)
    if op is Op.AT_LEAST:
        return max(0, gap_of(value, now))
    if op is Op.GREATER:
        return max(0, gap_of(value, now) + 1)
    if op is Op.AT_MOST:
        return min(0, gap_of(value, now))
    if op is Op.LESS:
        return min(0, gap_of(value, now) - 1)
    return 1 if now == value else 0


def gap_of(more: Number | Fraction, less: Number | Fraction) -> int:
    """How much more the one is than the other, cut to a whole number."""
    return int(Fraction(more) - Fraction(less))


def _all_conditions(group: ConditionGroup) -> Iterator[Condition]:
    yield from group.conditions
    for inner in group.groups:
        yield from _all_conditions(inner)


def label_of(library: Library, wanted: str) -> str:
    """The name of whatever has an id: an entry, group, link, category, force entry, catalogue or type."""
    return library.name_of(wanted) or library.name_of(wanted.rsplit("::", 1)[-1]) or wanted


def written(value: Number | Fraction) -> str:
    """A count or a percentage as text."""
    if isinstance(value, Fraction):
        return f"{float(value):.1f}".rstrip("0").rstrip(".")
    return plain(value)
