"""Small game data for tests, in the JSON form of the adapter protocol, and a player who edits rosters with it."""

from decimal import Decimal
from itertools import count
from typing import Any

from armybuilder.engine.battlescribe_files.library import library_from_json
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.roster import edits
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.model import Roster
from armybuilder.engine.roster.state import RosterState, SelectionState

Data = dict[str, Any]


def entry(entry_id: str, **fields: Any) -> Data:
    """A selection entry; `pts` is its price, `category` its primary one, `least` and `most` limits in the parent."""
    pts = fields.pop("pts", None)
    category = fields.pop("category", None)
    data: Data = {"id": entry_id, "name": fields.pop("name", entry_id.title()), "type": fields.pop("type", "upgrade")}
    limits = _limits(entry_id, fields)
    data.update(fields)
    if pts is not None:
        data["costs"] = [{"name": "pts", "typeId": "pts", "value": pts}]
    if category is not None:
        link = {"id": f"{entry_id}-{category}", "targetId": category, "primary": True}
        data["categoryLinks"] = [link, *data.get("categoryLinks", [])]
    if limits:
        data["constraints"] = [*limits, *data.get("constraints", [])]
    return data


def group(group_id: str, *members: Data, **fields: Any) -> Data:
    """A group of entries and links."""
    data: Data = {"id": group_id, "name": fields.pop("name", group_id.title())}
    limits = _limits(group_id, fields)
    data.update(fields)
    data["selectionEntries"] = [member for member in members if "targetId" not in member]
    data["entryLinks"] = [member for member in members if "targetId" in member]
    if limits:
        data["constraints"] = limits
    return data


def link(link_id: str, target: str, **fields: Any) -> Data:
    """An entry link; `to_group` when the target is a group."""
    kind = "selectionEntryGroup" if fields.pop("to_group", False) else "selectionEntry"
    pts = fields.pop("pts", None)
    limits = _limits(link_id, fields)
    data: Data = {"id": link_id, "targetId": target, "type": kind, "name": "", **fields}
    if pts is not None:
        data["costs"] = [{"name": "pts", "typeId": "pts", "value": pts}]
    if limits:
        data["constraints"] = limits
    return data


def _limits(owner: str, fields: Data) -> list[Data]:
    rows = []
    for kind, word in (("min", "least"), ("max", "most")):
        if word in fields:
            rows.append(limit(f"{owner}-{kind}", kind, fields.pop(word)))
    return rows


def limit(limit_id: str, kind: str, value: object, scope: str = "parent", **fields: Any) -> Data:
    """A constraint on selections, shared unless told otherwise."""
    return {
        "id": limit_id,
        "type": kind,
        "value": value,
        "field": "selections",
        "scope": scope,
        "shared": True,
        **fields,
    }


def when(kind: str, value: object, child: str | None, scope: str = "force", **fields: Any) -> Data:
    """A condition."""
    data = {"type": kind, "value": value, "scope": scope, "field": "selections", "shared": True, **fields}
    return data if child is None else {**data, "childId": child}


def change(kind: str, field: str, value: object, *conditions: Data, **fields: Any) -> Data:
    """A modifier with conditions."""
    return {"type": kind, "field": field, "value": str(value), "conditions": list(conditions), **fields}


def repeat(value: object, child: str, scope: str = "force", **fields: Any) -> Data:
    """A repeat."""
    data = {"value": value, "repeats": 1, "childId": child, "scope": scope, "field": "selections", "shared": True}
    return {**data, **fields}


def make_library(
    *entries: Data, system: Data | None = None, catalogue: Data | None = None, more: list[Data] | None = None
) -> Library:
    """One game system with a Patrol of HQ and Troops, one catalogue `army` with these root entries and links."""
    game = {
        "id": "gs",
        "name": "Game",
        "costTypes": [{"id": "pts", "name": "pts"}],
        "categoryEntries": [
            {"id": "hq", "name": "HQ"},
            {"id": "troops", "name": "Troops"},
            {"id": "fast", "name": "Fast"},
        ],
        "forceEntries": [
            {
                "id": "patrol",
                "name": "Patrol",
                "categoryLinks": [{"id": "patrol-hq", "targetId": "hq"}, {"id": "patrol-troops", "targetId": "troops"}],
            }
        ],
        **(system or {}),
    }
    army = {
        "id": "army",
        "name": "Army",
        "gameSystemId": "gs",
        "selectionEntries": [one for one in entries if "targetId" not in one],
        "entryLinks": [one for one in entries if "targetId" in one],
        **(catalogue or {}),
    }
    return library_from_json(game, [army, *(more or [])])


class Player:
    """Somebody who builds one roster, with ids n1, n2, … and the state after every edit at hand."""

    def __init__(self, library: Library, *, force: str | None = "patrol", catalogue: str = "army") -> None:
        numbers = count(1)
        self.library = library
        self.new_id = lambda: f"n{next(numbers)}"
        self.roster: Roster = edits.new_roster(library, name="List", new_id=self.new_id).roster
        self.force_id = ""
        self.created: dict[str, str] = {}
        if force is not None:
            self.force_id = self.add_force(force, catalogue)

    def add_force(self, entry_id: str = "patrol", catalogue: str = "army", parent: str | None = None) -> str:
        """Add a force; its id."""
        return self._keep(
            edits.add_force(
                self.library,
                self.roster,
                force_entry_id=entry_id,
                catalogue_id=catalogue,
                parent_id=parent,
                new_id=self.new_id,
            )
        )

    def take(self, entry_id: str, under: str | None = None) -> str:
        """Select an entry; the id of the selection."""
        parent = under or self.force_id
        return self._keep(
            edits.select(self.library, self.roster, parent_id=parent, entry_id=entry_id, new_id=self.new_id)
        )

    def amount(self, selection_id: str, amount: int) -> None:
        """Set an amount."""
        self._keep(
            edits.set_amount(self.library, self.roster, selection_id=selection_id, amount=amount, new_id=self.new_id)
        )

    def drop(self, selection_id: str) -> None:
        """One less of a selection."""
        self._keep(edits.deselect(self.library, self.roster, selection_id=selection_id))

    def limit(self, value: Decimal | int | None) -> None:
        """Agree on a points limit."""
        self._keep(edits.set_cost_limit(self.roster, type_id="pts", value=value))

    def _keep(self, edit: edits.Edit) -> str:
        self.roster = edit.roster
        self.created = edit.created
        return edit.node_id or ""

    @property
    def state(self) -> RosterState:
        """The evaluated roster."""
        return evaluate(self.library, self.roster)

    def node(self, selection_id: str) -> SelectionState:
        """The state of one selection."""
        found = self.state.node(selection_id)
        assert isinstance(found, SelectionState)
        return found

    @property
    def points(self) -> Decimal:
        """The roster's cost."""
        return self.state.cost("pts")

    @property
    def errors(self) -> list[str]:
        """Errors as `owner type owner entry < entry/constraint`."""
        return sorted(
            f"{error.owner_type} {error.owner_entry_id} < {error.entry_id}/{error.constraint_id}".replace("  ", " ")
            for error in self.state.errors
        )

    def tree(self) -> list[object]:
        """The selections as nested [number name, children…] lists, in the order players read."""

        def row(selection: SelectionState) -> object:
            label = f"{selection.number} {selection.name}"
            return [label, *(row(child) for child in selection.selections)] if selection.selections else label

        return [row(selection) for force in self.state.forces for selection in force.selections]
