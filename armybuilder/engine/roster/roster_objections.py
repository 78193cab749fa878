"""What is wrong with a roster besides its limits (§9, §13).

Messages of data, what has nothing to belong to, cost limits, loops, what is missing.
"""

from armybuilder.engine.gamedata.specs import MESSAGES, Spec
from armybuilder.engine.roster.conditions import times
from armybuilder.engine.roster.evaluation import Evaluation
from armybuilder.engine.roster.limit_words import LimitWords, decimal_of, plain_text
from armybuilder.engine.roster.nodes import ForceNode, SelectionNode
from armybuilder.engine.roster.state import ErrorKind, RosterError


class RosterObjections:
    """Collects them, in the order they are told."""

    def __init__(self, evaluation: Evaluation, words: LimitWords) -> None:
        self._evaluation = evaluation
        self._words = words
        self._run = evaluation.counting
        self._library = evaluation.library
        self.errors: list[RosterError] = []

    def run(self) -> list[RosterError]:
        """All of them."""
        top = self._evaluation.top
        for force in top.all_forces():
            if force.spec.rare_modifiers:
                self._messages(force.spec, force)
        for node in top.nodes:
            if node.place.spec.rare_modifiers:
                self._messages(node.place.spec, node)
        if self._library.associations:
            for node in top.nodes:
                self._associations(node)
        self._cost_limits()
        self._loops()
        self._missing()
        return self.errors

    def _associations(self, node: SelectionNode) -> None:
        """That there is nothing which a selection could belong to (§13)."""
        for written_on in node.place.spec.nodes:
            for association in self._library.associations.get(written_on, ()):
                there = self._run.count(association, node)
                if there is None or there >= association.least:
                    continue
                name = self._library.name_of(association.child_id) or association.name
                shown = self._evaluation.shown(node)
                lack = plain_text(decimal_of(association.least - there))
                self.errors.append(
                    RosterError(
                        message=f"{shown} must have {lack} more selections of {name} to belong to",
                        owner_type="selection",
                        owner_id=node.id,
                        owner_entry_id=node.place.spec.id,
                        entry_id=node.place.spec.id,
                        constraint_id=association.id,
                        kind=ErrorKind.MIN,
                        name=name,
                        owner_name=shown,
                        node_id=node.id,
                        current=decimal_of(there),
                        limit=decimal_of(association.least),
                    )
                )

    def _cost_limits(self) -> None:
        top = self._evaluation.top
        for type_id, limit in top.limits.items():
            total = self._evaluation.total(type_id)
            if total <= limit:
                continue
            cost_type = self._library.cost_type_by_id.get(type_id)
            name = cost_type.name if cost_type is not None else type_id
            over = decimal_of(total) - limit
            self.errors.append(
                RosterError(
                    message=f"Roster is over the {name} limit by {plain_text(over)}{name}",
                    owner_type="roster",
                    owner_id=top.model.id,
                    owner_entry_id="",
                    entry_id="costLimits",
                    constraint_id=type_id,
                    kind=ErrorKind.LIMIT,
                    name=name,
                    owner_name=top.model.name,
                    field=name,
                    current=decimal_of(total),
                    limit=limit,
                )
            )

    def _loops(self) -> None:
        looping = self._evaluation.costs.looping
        if not looping:
            return
        node, type_id = looping[0]
        names = sorted({self._evaluation.name(member) for member, _ in looping})
        self.errors.append(
            RosterError(
                message=f"The cost of {', '.join(names)} depends on itself; its modifiers were not applied",
                owner_type="roster",
                owner_id=self._evaluation.top.model.id,
                owner_entry_id="",
                entry_id=node.place.spec.id,
                constraint_id=type_id,
                kind=ErrorKind.CYCLE,
                name=", ".join(names),
                owner_name=self._evaluation.top.model.name,
                node_id=node.id,
            )
        )

    def _missing(self) -> None:
        for node_id, name, entry_id, kind in self._evaluation.missing():
            self.errors.append(
                RosterError(
                    message=f"{name or entry_id} does not exist in this data",
                    owner_type=kind,
                    owner_id=node_id,
                    owner_entry_id=entry_id.rsplit("::", 1)[-1],
                    entry_id=entry_id,
                    constraint_id="missing",
                    kind=ErrorKind.MISSING,
                    name=name or entry_id,
                    owner_name=self._evaluation.top.model.name,
                    node_id=node_id,
                )
            )

    def _messages(self, spec: Spec, owner: SelectionNode | ForceNode) -> None:
        """What modifiers of a definition that is in the roster want to be said (§13)."""
        for field in MESSAGES:
            for modifier in spec.rare_modifiers.get(field, ()):
                if modifier.kind != "add" or not times(modifier, owner, self._run):
                    continue
                name = self._evaluation.shown(owner)
                at_selection = isinstance(owner, SelectionNode)
                self.errors.append(
                    RosterError(
                        message=self._words.filled(modifier.value.replace("{this}", name)),
                        owner_type="selection" if at_selection else "force",
                        owner_id=owner.id,
                        owner_entry_id=spec.id,
                        entry_id=spec.id,
                        constraint_id=field,
                        kind=ErrorKind.MESSAGE if field == "error" else ErrorKind.NOTICE,
                        name=name,
                        owner_name=name,
                        node_id=owner.id,
                        own_words=True,
                    )
                )
