"""Carries out edits on a document, one after the other, and says in words what each of them did."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import singledispatchmethod
from typing import Any

import msgspec

from armybuilder.armylists import edits as e
from armybuilder.armylists import limits
from armybuilder.armylists.amounts import changed
from armybuilder.armylists.asked_once import answers_in_data, facts_in_data
from armybuilder.armylists.documents import OWN_UNITS, UNITS, ListDocument, Place, display_name
from armybuilder.armylists.errors import EditRefused, TooLarge
from armybuilder.armylists.facts import (
    describe,
    list_fact_types,
    merged,
    read_facts,
    references,
    unit_fact_types,
    without_the_gone,
)
from armybuilder.armylists.moving import arranged, moved, place_in_words
from armybuilder.armylists.own_points import OWN_POINTS
from armybuilder.armylists.own_units import with_own_unit, without_own_unit
from armybuilder.armylists.plain_words import one_line
from armybuilder.armylists.sizes import check_sizes, refuse_too_many_facts
from armybuilder.armylists.wording import same
from armybuilder.engine.errors import BadDocument, GameError
from armybuilder.engine.findings import Text, in_figures
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.roster import edits as roster_edits
from armybuilder.engine.roster.available_options import Offer, OfferGroup, offers
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.model import Force, Selection
from armybuilder.engine.roster.state import RosterState
from armybuilder.engine.systems.roster_reading.points_cost import points_type


@dataclass(slots=True)
class Draft:
    """A list while edits are carried out on it.

    Attributes:
        state: of `document.roster`, when it is known; an edit that needs one evaluates.
        node_id: what the last edit made or touched.
        done: what the edits did, in words; nothing for an edit that changed nothing.
    """

    library: Library
    rule_pack: str
    document: ListDocument
    points_limit: int | None
    new_id: Callable[[], str]
    state: RosterState | None = None
    node_id: str | None = None
    done: list[Text] = field(default_factory=list)

    def apply(self, edits: Sequence[e.Edit]) -> None:
        """Carry out all edits.

        Raises:
            EditRefused: one of them cannot be carried out; its pointer begins with its index if there are several.
            TooLarge: the list would become too large.
        """
        for index, edit in enumerate(edits):
            before = (self.document, self.points_limit)
            try:
                text = self._carry_out(edit)
            except (EditRefused, TooLarge) as refusal:
                if len(edits) > 1:
                    refusal.at = f"/{index}{refusal.at or ''}"
                raise
            if text is not None and (self.document, self.points_limit) != before:
                self.done.append(text)
                self._say_both_ways(edit)
        self._fill_itself()
        check_sizes(self.document)

    def _say_both_ways(self, edit: e.Edit) -> None:
        """Set in the data what was stated as a fact, and state what was chosen in the data; each is asked once."""
        touched = self.node_id
        if isinstance(edit, e.SetFacts | e.SetPointsLimit | e.AddDetachment | e.SetWarlord):
            self.state = evaluate(self.library, self.document.roster, self.state)
            said = answers_in_data(self.library, self.state, self.document, self.points_limit, edit)
        else:
            said = facts_in_data(self.document, self.rule_pack, edit)
        for other in tuple(said):
            self._carry_out(other)
            if isinstance(other, e.SetWarlord):  # there is one warlord
                self._say_both_ways(other)
        self.node_id = touched

    def _fill_itself(self) -> None:
        """Take what minimums that fill themselves ask for after the edits."""
        if self.done:
            filled = roster_edits.fill_automatic(self.library, self.document.roster, new_id=self.new_id)
            self._replace(roster=filled.roster)

    @singledispatchmethod
    def _carry_out(self, edit: e.Edit) -> Text | None:
        raise EditRefused(
            Text(
                en="This edit is made for heroes; an army list has no dials and cards.",
                ru="Эта правка – для героев; у списка армии нет дисков и карт.",
            ),
            "/edit",
        )

    @_carry_out.register
    def _(self, edit: e.AddDetachment) -> Text:
        if edit.parent_id is not None:
            self._force(edit.parent_id, "/parent_id")
        refuse_unknown_catalogue(self.library, edit.catalogue_id, "/catalogue_id")
        self._take(
            lambda: roster_edits.add_force(
                self.library,
                self.document.roster,
                force_entry_id=edit.force_entry_id,
                catalogue_id=edit.catalogue_id,
                parent_id=edit.parent_id,
                new_id=self.new_id,
            ),
            "/force_entry_id",
        )
        name = self._name(self.node_id)
        return Text(en=f"Added {name}", ru=f"Добавлено: {name}")

    @_carry_out.register
    def _(self, edit: e.AddUnit) -> Text:
        force = self._force(edit.force_id, "/force_id")
        self._select(edit.force_id, edit.entry_id)
        if edit.amount is not None:
            self._set_amount(self._touched(), edit.amount)
        name, detachment = self._name(self.node_id), display_name(force.node)
        return Text(en=f"Added {name} to {detachment}", ru=f"Добавлено: {name} – «{detachment}»")

    @_carry_out.register
    def _(self, edit: e.Select) -> Text | None:
        parent = self._place(edit.parent_id, "/parent_id")
        offered = self._offered(edit.parent_id)
        if _is_taken(offered, edit.entry_id):
            return None
        replaced = self._make_room(offered, edit.entry_id)
        self._select(edit.parent_id, edit.entry_id)
        if edit.amount is not None:
            self._set_amount(self._touched(), edit.amount)
        name, unit = self._name(self.node_id), self._unit_name(parent)
        if replaced:
            return Text(
                en=f"{unit}: {name} instead of {', '.join(replaced)}", ru=f"{unit}: {name} вместо {', '.join(replaced)}"
            )
        return Text(en=f"{unit}: took {name}", ru=f"{unit}: взято – {name}")

    @_carry_out.register
    def _(self, edit: e.Deselect) -> Text:
        place = self._selection(edit.selection_id, "/selection_id")
        name, unit = display_name(place.node), self._unit_name(place)
        self._take(
            lambda: roster_edits.deselect(self.library, self.document.roster, selection_id=edit.selection_id),
            "/selection_id",
        )
        self.node_id = edit.selection_id if edit.selection_id in self.document.places else place.parent_id
        if place.is_unit:
            return Text(en=f"Removed {name}", ru=f"Удалено: {name}")
        return Text(en=f"{unit}: gave back {name}", ru=f"{unit}: убрано – {name}")

    @_carry_out.register
    def _(self, edit: e.SetAmount) -> Text:
        place = self._selection(edit.selection_id, "/selection_id")
        if edit.amount == 0:
            return self._remove(place)
        assert isinstance(place.node, Selection)
        self._set_amount(edit.selection_id, edit.amount)
        return self._amount_changed(place, place.node.amount, edit.amount)

    @_carry_out.register
    def _(self, edit: e.SetOptionAmount) -> Text | None:
        parent = self._place(edit.parent_id, "/parent_id")
        had = self._taken(edit)
        before = sum(child.amount for child in had)
        if before == edit.amount:
            return None
        if edit.amount > before:
            self._take_more(edit)
        else:
            self._take_fewer(edit)
        name, unit = display_name((self._taken(edit) or had)[0]), self._unit_name(parent)
        self.node_id = edit.parent_id
        return same(f"{unit}: {changed(before, edit.amount, name)}")

    @_carry_out.register
    def _(self, edit: e.SetOwnUnit) -> Text:
        self._force(edit.force_id, "/force_id")
        if edit.node_id is not None and edit.node_id not in (self.document.facts.get(OWN_UNITS) or {}):
            self._place(edit.node_id, "/node_id")
            raise EditRefused(
                Text(en="This unit is of the data.", ru="Этот отряд – из данных."),
                "/node_id",
            )
        stated = (self.document.facts.get(OWN_UNITS) or {}).get(edit.node_id or "") or {}
        if edit.role and (edit.force_id, edit.role) != (stated.get("force_id"), stated.get("role")):
            self._refuse_unknown_role(edit.force_id, edit.role)
        node_id = edit.node_id or self.new_id()
        facts, done = with_own_unit(self.document, edit, node_id)
        refuse_too_many_facts(facts, "")
        self._replace(facts=facts)
        self.node_id = node_id
        return done

    @_carry_out.register
    def _(self, edit: e.Remove) -> Text:
        if edit.node_id in (self.document.facts.get(OWN_UNITS) or {}):
            facts, done = without_own_unit(self.document, edit.node_id)
            self._replace(facts=facts)
            self.node_id = None
            return done
        return self._remove(self._place(edit.node_id, "/node_id"))

    @_carry_out.register
    def _(self, edit: e.Duplicate) -> Text:
        place = self._place(edit.node_id, "/node_id")
        self._take(
            lambda: roster_edits.duplicate(
                self.library, self.document.roster, node_id=edit.node_id, new_id=self.new_id
            ),
            "/node_id",
        )
        name = display_name(place.node)
        return Text(en=f"Duplicated {name}", ru=f"Скопировано: {name}")

    @_carry_out.register
    def _(self, edit: e.Move) -> Text:
        place = self._selection(edit.node_id, "/node_id")
        target = self._force(edit.force_id, "/force_id")
        source = self.document.places[place.force_id].node
        assert isinstance(target.node, Force)
        assert isinstance(source, Force)
        if not place.is_unit or source.catalogue_id != target.node.catalogue_id:
            raise EditRefused(
                Text(
                    en=f"{display_name(place.node)} cannot be moved there: only whole units move, and only between "
                    "detachments of the same army list.",
                    ru=f"{display_name(place.node)} нельзя перенести туда: переносятся только целые боевые единицы и "
                    "только между подразделениями одного списка армии.",
                ),
                "/force_id",
            )
        self.node_id = edit.node_id
        if edit.before is not None or edit.force_id == place.force_id:
            self.state = evaluate(self.library, self.document.roster, self.state)
            self._replace(roster=arranged(self.document, self.state, edit))
            return place_in_words(self._name(edit.node_id), self._name(edit.before))
        self._replace(roster=moved(self.document.roster, edit.node_id, edit.force_id))
        name, detachment = display_name(place.node), self._detachment_name(target.node)
        return Text(en=f"Moved {name} to {detachment}", ru=f"Перенесено: {name} – «{detachment}»")

    def _detachment_name(self, force: Force) -> str:
        """Its name; with a number where several are called so, as on the roll."""
        alike = [one.id for one in self.document.roster.all_forces() if display_name(one) == display_name(force)]
        return f"{display_name(force)} {alike.index(force.id) + 1}" if len(alike) > 1 else display_name(force)

    @_carry_out.register
    def _(self, edit: e.Rename) -> Text:
        place = self._place(edit.node_id, "/node_id")
        name = one_line(edit.name)
        self._customise(place, name=name)
        if not name:
            return Text(en=f"{place.node.name} has its own name again", ru=f"{place.node.name}: прежнее название")
        return Text(
            en=f"{display_name(place.node)} is now called “{name}”", ru=f"{display_name(place.node)} → «{name}»"
        )

    @_carry_out.register
    def _(self, edit: e.SetNotes) -> Text:
        if edit.node_id is None:
            roster = msgspec.structs.replace(self.document.roster, notes=edit.notes or None)
            self._replace(roster=roster)
            self.node_id = None
            return Text(en="Notes on the list changed", ru="Заметки к ростеру изменены")
        place = self._place(edit.node_id, "/node_id")
        self._customise(place, notes=edit.notes)
        name = display_name(place.node)
        return Text(en=f"Notes on {name} changed", ru=f"Заметки изменены: {name}")

    @_carry_out.register
    def _(self, edit: e.SetName) -> Text:
        name = one_line(edit.name)
        if not name:
            raise EditRefused(Text(en="A list needs a name.", ru="Ростеру нужно название."), "/name")
        self._replace(roster=msgspec.structs.replace(self.document.roster, name=name))
        self.node_id = None
        return Text(en=f"The list is now called “{name}”", ru=f"Ростер назван «{name}»")

    @_carry_out.register
    def _(self, edit: e.SetPointsLimit) -> Text:
        before, self.points_limit = self.points_limit, edit.points_limit
        type_id = points_type(self.library.cost_types)
        if type_id is not None:
            value = None if edit.points_limit is None else Decimal(edit.points_limit)
            self._replace(roster=roster_edits.set_cost_limit(self.document.roster, type_id=type_id, value=value).roster)
        self.node_id = None
        old = Text("none", "нет") if before is None else in_figures(str(before))
        new = Text("none", "нет") if edit.points_limit is None else in_figures(str(edit.points_limit))
        return Text(en=f"Points limit: {old.en} → {new.en}", ru=f"Лимит очков: {old.ru} → {new.ru}")

    @_carry_out.register
    def _(self, edit: e.SetFacts) -> Text:
        for name, other in ((UNITS, "set_unit_facts"), (OWN_UNITS, "set_own_unit")):
            if name in edit.facts:
                raise EditRefused(
                    Text(
                        en=f"Facts of units are stated one unit at a time ({other}).",
                        ru=f"Факты о боевых единицах задаются по одной единице ({other}).",
                    ),
                    f"/facts/{name}",
                )
        before = self.document.facts
        self._state_facts(edit.facts, "/facts")
        self.node_id = None
        return self._stated(before, edit.facts, None)

    @_carry_out.register
    def _(self, edit: e.SetUnitFacts) -> Text:
        place = self._selection(edit.node_id, "/node_id")
        for name in references(unit_fact_types(self.rule_pack)):
            if edit.facts.get(name) is not None:
                self._selection(str(edit.facts[name]), f"/facts/{name}")
        if edit.facts.get(OWN_POINTS) is not None and not place.is_unit:
            raise EditRefused(
                Text(en="Only a whole unit has a price of its own.", ru="Своя цена бывает только у целого отряда."),
                f"/facts/{OWN_POINTS}",
            )
        before = self.document.facts_of(edit.node_id)
        facts = merged(before, edit.facts)
        units = merged(self.document.facts.get(UNITS) or {}, {edit.node_id: facts or None})
        stated = merged(self.document.facts, {UNITS: units or None})
        self._check_facts(stated, f"/{UNITS}", "/facts")
        self._replace(facts=stated)
        self.node_id = edit.node_id
        return self._stated(before, edit.facts, display_name(place.node))

    @_carry_out.register
    def _(self, edit: e.SetWarlord) -> Text:
        if edit.node_id is None:
            self._state_facts({"warlord": None, "warlord_trait": edit.trait or None}, "")
            self.node_id = None
            return Text(en="No warlord is named", ru="Военачальник не назначен")
        place = self._selection(edit.node_id, "/node_id")
        self._state_facts({"warlord": edit.node_id, "warlord_trait": edit.trait or None}, "")
        self.node_id = edit.node_id
        name = display_name(place.node)
        trait = Text(f" ({edit.trait})", f" ({edit.trait})") if edit.trait else same("")
        return Text(en=f"Warlord: {name}{trait.en}", ru=f"Военачальник: {name}{trait.ru}")

    def _take(self, change: "Callable[[], roster_edits.Edit]", at: str) -> None:
        """Carry out an edit of the roster; what the engine refuses is the player's to read."""
        try:
            edit = change()
        except GameError as refusal:
            raise EditRefused(
                Text(en=str(refusal), ru=refusal.russian or f"Правка невозможна: {refusal}"), at
            ) from refusal
        self._replace(roster=edit.roster)
        self.node_id = edit.node_id

    def _replace(self, **parts: Any) -> None:
        self.document = msgspec.structs.replace(self.document, **parts)

    def _select(self, parent_id: str, entry_id: str) -> None:
        self._take(
            lambda: roster_edits.select(
                self.library, self.document.roster, parent_id=parent_id, entry_id=entry_id, new_id=self.new_id
            ),
            "/entry_id",
        )

    def _set_amount(self, selection_id: str, amount: int) -> None:
        self._take(
            lambda: roster_edits.set_amount(
                self.library, self.document.roster, selection_id=selection_id, amount=amount, new_id=self.new_id
            ),
            "/amount",
        )
        if self.node_id is None:
            self.node_id = selection_id

    def _take_more(self, edit: e.SetOptionAmount) -> None:
        """Take the option until there is enough of it; what is counted in one selection is set at once."""
        while (there := sum(child.amount for child in self._taken(edit))) < edit.amount:
            copies = len(self._taken(edit))
            if copies > limits.COPIES:
                raise TooLarge(
                    Text(
                        en=f"At most {limits.COPIES} separate copies of an option can be taken.",
                        ru=f"Можно взять не более {limits.COPIES} отдельных экземпляров опции.",
                    ),
                    "/amount",
                )
            self._select(edit.parent_id, edit.entry_id)
            taken = self._taken(edit)
            if not taken:  # the data offers it under another path
                raise EditRefused(
                    Text(en="Name the option by its full path.", ru="Укажите полный путь опции."), "/entry_id"
                )
            if there and len(taken) == copies:
                self._set_amount(self._touched(), edit.amount - there + self._amount_of(self._touched()) - 1)

    def _take_fewer(self, edit: e.SetOptionAmount) -> None:
        """Give the newest back first."""
        surplus = sum(child.amount for child in self._taken(edit)) - edit.amount
        for child in reversed(self._taken(edit)):
            if child.amount <= surplus:
                self._drop(child.id)
            elif surplus > 0:
                self._set_amount(child.id, child.amount - surplus)
            surplus -= min(surplus, child.amount)

    def _amount_of(self, node_id: str) -> int:
        return self._node(node_id).amount

    def _drop(self, node_id: str) -> None:
        self._take(lambda: roster_edits.remove(self.library, self.document.roster, node_id=node_id), "/node_id")
        self._forget_the_gone()

    def _remove(self, place: Place) -> Text:
        name, unit = display_name(place.node), self._unit_name(place)
        self._drop(place.node.id)
        self.node_id = place.parent_id
        if place.is_force or place.is_unit:
            return Text(en=f"Removed {name}", ru=f"Удалено: {name}")
        return Text(en=f"{unit}: gave back {name}", ru=f"{unit}: убрано – {name}")

    def _offered(self, parent_id: str) -> Sequence[Offer | OfferGroup]:
        self.state = evaluate(self.library, self.document.roster, self.state)
        return offers(self.library, self.state, node_id=parent_id)

    def _make_room(self, offered: Sequence[Offer | OfferGroup], entry_id: str) -> list[str]:
        """Give back what the entry replaces: the others of a group of which one may be taken. Their names."""
        replaced = []
        for group in _groups_with(offered, entry_id):
            if group.maximum != 1:
                continue
            for other in group.offers:
                if isinstance(other, Offer) and other.entry_id != entry_id:
                    for selection_id in other.selection_ids:
                        replaced.append(display_name(self._node(selection_id)))
                        self._drop(selection_id)
        return replaced

    def _customise(self, place: Place, **own: str) -> None:
        self._take(lambda: roster_edits.customise(self.document.roster, node_id=place.node.id, **own), "/node_id")
        self.node_id = place.node.id

    def _refuse_unknown_role(self, force_id: str, role: str) -> None:
        """Raises EditRefused, which names the categories of a detachment, for one that is none of them."""
        self.state = evaluate(self.library, self.document.roster, self.state)
        force = next(force for force in self.state.all_forces() if force.id == force_id)
        if role not in (known := {category.id: category.name for category in force.categories}):
            there_are = ", ".join(f"{name.rstrip(':')} ({role_id})" for role_id, name in known.items())
            raise EditRefused(
                Text(
                    en=f"'{role}' is no category of this detachment; there are {there_are}.",
                    ru=f"«{role}» – не категория этого подразделения; есть {there_are}.",
                ),
                "/role",
            )

    def _state_facts(self, facts: dict[str, Any], at: str) -> None:
        for name in references(list_fact_types(self.rule_pack)):
            if facts.get(name) is not None:
                self._selection(str(facts[name]), f"{at}/{name}")
        stated = merged(self.document.facts, facts)
        self._check_facts(stated, "", at)
        self._replace(facts=stated)

    def _stated(self, before: Mapping[str, Any], facts: dict[str, Any], unit: str | None) -> Text:
        """What stating these facts changed: a form sends all it shows."""
        changes = {name: value for name, value in facts.items() if before.get(name) != value}
        return describe(self.document, changes, rule_pack=self.rule_pack, unit=unit, name_of=self._name)

    def _check_facts(self, facts: dict[str, Any], inside: str, at: str) -> None:
        """Refuse facts the game cannot have; the pointer leads into the edit."""
        try:
            read_facts(self.rule_pack, facts)
        except BadDocument as refusal:
            pointer = (refusal.at or "").removeprefix(inside)
            raise EditRefused(
                Text(en=refusal.message, ru=refusal.russian or refusal.message), f"{at}{pointer}"
            ) from refusal
        refuse_too_many_facts(facts, at)

    def _forget_the_gone(self) -> None:
        """Take back the facts about what is no longer in the list."""
        self._replace(facts=without_the_gone(self.document, rule_pack=self.rule_pack).facts)

    def _place(self, node_id: str, at: str) -> Place:
        place = self.document.places.get(node_id)
        if place is None:
            raise EditRefused(
                Text(en=f"There is no '{node_id}' in this list (any more).", ru=f"В этом ростере нет «{node_id}»."),
                at,
            )
        return place

    def _force(self, node_id: str, at: str) -> Place:
        place = self._place(node_id, at)
        if not place.is_force:
            name = display_name(place.node)
            raise EditRefused(Text(en=f"{name} is no detachment.", ru=f"{name} – не подразделение."), at)
        return place

    def _selection(self, node_id: str, at: str) -> Place:
        place = self._place(node_id, at)
        if place.is_force:
            name = display_name(place.node)
            raise EditRefused(
                Text(en=f"{name} is a detachment, not a unit.", ru=f"{name} – подразделение, а не боевая единица."), at
            )
        return place

    def _node(self, node_id: str) -> Selection:
        node = self.document.places[node_id].node
        assert isinstance(node, Selection)
        return node

    def _touched(self) -> str:
        assert self.node_id is not None
        return self.node_id

    def _taken(self, edit: e.SetOptionAmount) -> list[Selection]:
        """What of the option its parent has, as one counted selection or as several."""
        parent = self.document.places[edit.parent_id].node
        return [child for child in parent.selections if child.entry_id == edit.entry_id]

    def _name(self, node_id: str | None) -> str:
        place = self.document.places.get(node_id or "")
        return display_name(place.node) if place is not None else ""

    def _unit_name(self, place: Place) -> str:
        return display_name(self.document.places[place.unit_id or place.force_id].node)

    def _amount_changed(self, place: Place, before: int, after: int) -> Text:
        name, unit = display_name(place.node), self._unit_name(place)
        if place.is_unit:
            return same(f"{name}: {before} → {after}")
        return same(f"{unit}: {changed(before, after, name)}")


def refuse_unknown_catalogue(library: Library, catalogue_id: str, at: str) -> None:
    """Raises EditRefused, with the pointer, where the game data has no such catalogue."""
    if catalogue_id not in {catalogue.id for catalogue in library.catalogues}:
        raise EditRefused(
            Text(
                en=f"The game data has no catalogue '{catalogue_id}'.",
                ru=f"В данных игры нет каталога «{catalogue_id}».",
            ),
            at,
        )


def _is_taken(offered: Sequence[Offer | OfferGroup], entry_id: str) -> bool:
    """Whether a choice that can be made once is made already: ticking it again must not count it twice."""
    for item in offered:
        if isinstance(item, Offer):
            if item.entry_id == entry_id and item.current and item.maximum == 1:
                return True
        elif (
            item.maximum == 1
            and any(isinstance(offer, Offer) and offer.entry_id == entry_id and offer.current for offer in item.offers)
        ) or _is_taken(item.offers, entry_id):
            return True
    return False


def _groups_with(offered: Sequence[Offer | OfferGroup], entry_id: str) -> list[OfferGroup]:
    """The groups around an entry, the innermost first."""
    for item in offered:
        if isinstance(item, OfferGroup):
            if any(isinstance(offer, Offer) and offer.entry_id == entry_id for offer in item.offers):
                return [item]
            if inner := _groups_with(item.offers, entry_id):
                return [*inner, item]
    return []
