"""JSON lines in and out, so that conformance suites can drive the engine from outside (adapter protocol 1.1, §15)."""

import json
import sys
from collections.abc import Callable, Mapping
from decimal import Decimal
from itertools import count
from typing import IO, Any, Final

from armybuilder.engine.battlescribe_files.library import library_from_json, load_readable
from armybuilder.engine.battlescribe_files.ros_xml import NEW_RECRUIT, read_roster, settle, write_roster
from armybuilder.engine.errors import GameError
from armybuilder.engine.gamedata.links import Library, SourceFile
from armybuilder.engine.roster import edits
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.model import Roster
from armybuilder.engine.roster.state import (
    CategoryState,
    Cost,
    ErrorKind,
    ForceState,
    ProfileState,
    RosterState,
    RuleState,
    SelectionState,
)

PROTOCOL_VERSION: Final = "1.1"
Message = Mapping[str, Any]  # what a client sent: anything at all, checked where it is used
Answer = dict[str, object]


class Refused(GameError):
    """A command that cannot be carried out as it stands."""

    code = "refused-command"


def serve(lines: IO[str], out: IO[str]) -> None:
    """Answer one JSON object a line until the input ends. A broken line gets an error answer, never silence."""
    session = Session()
    for line in lines:
        if not line.strip():
            continue
        answer = session.answer_line(line)
        out.write(json.dumps(answer, ensure_ascii=False, default=_number) + "\n")
        out.flush()


class Session:
    """One client: the data set it set up and its roster."""

    def __init__(self) -> None:
        self._library: Library | None = None
        self._roster: Roster | None = None
        self._state: RosterState | None = None
        self._numbers = count(1)
        self._commands: dict[str, Callable[[Message], Answer]] = {
            "describe": self._describe,
            "setup": self._setup,
            "setupFromFiles": self._setup_from_files,
            "action": self._action,
            "getState": lambda _: {"type": "state", **state_json(self.state(), self._need_library())},
            "getErrors": lambda _: {"type": "errors", "errors": errors_json(self.state())},
            "exportRosterXml": lambda _: {"type": "rosterXmlResult", "xml": self._export()},
            "teardown": self._teardown,
        }

    def answer_line(self, line: str) -> Answer:
        """The answer to one line of input."""
        try:
            message = json.loads(line, parse_float=Decimal)
        except (ValueError, RecursionError) as error:
            return {"type": "error", "message": f"The line is not JSON: {error}"}
        if not isinstance(message, dict):
            return {"type": "error", "message": "A command is a JSON object."}
        return self.answer(message)

    def answer(self, message: Message) -> Answer:
        """The answer to one command; `type` stands first and `corrId` is echoed."""
        kind = message.get("type")
        command = self._commands.get(kind) if isinstance(kind, str) else None
        answer: Answer
        try:
            answer = (
                command(message) if command is not None else {"type": "error", "message": f"Unknown command {kind!r}."}
            )
        except GameError as refusal:
            answer = {"type": "error", "message": str(refusal)}
        if "corrId" in message:
            answer = {"type": answer.pop("type"), "corrId": message["corrId"], **answer}
        return answer

    def state(self) -> RosterState:
        """The evaluated roster."""
        if self._roster is None:
            raise Refused("There is no roster yet: send setup or setupFromFiles first.")
        if self._state is None or self._state.roster is not self._roster:
            self._state = evaluate(self._need_library(), self._roster, self._state)
        return self._state

    def _need_library(self) -> Library:
        if self._library is None:
            raise Refused("There is no data yet: send setup or setupFromFiles first.")
        return self._library

    def _new_id(self) -> str:
        return f"n{next(self._numbers)}"

    def _describe(self, _: Message) -> Answer:
        return {
            "type": "describeResult",
            "name": "Army Builder",
            "protocolVersion": PROTOCOL_VERSION,
            "domains": ["roster"],
            "capabilities": {"rosterXml": True},
        }

    def _setup(self, message: Message) -> Answer:
        system = message.get("gameSystem")
        catalogues = message.get("catalogues") or []
        if not isinstance(system, dict) or not isinstance(catalogues, list):
            raise Refused("setup needs an object gameSystem and a list catalogues.")
        return self._begin(message, lambda: library_from_json(system, [c for c in catalogues if isinstance(c, dict)]))

    def _setup_from_files(self, message: Message) -> Answer:
        files = message.get("files")
        if not isinstance(files, list) or not all(isinstance(file, dict) for file in files):
            raise Refused("setupFromFiles needs a list of files.")
        sources = [SourceFile(_text(file, "fileName"), _text(file, "content").encode()) for file in files]
        return self._begin(message, lambda: load_readable(sources))

    def _begin(self, message: Message, load: Callable[[], Library]) -> Answer:
        self._teardown(message)
        try:
            self._library = load()
        except GameError as refusal:
            return {"type": "setupResult", "errors": [str(refusal)]}
        name = message.get("specId")
        edit = edits.new_roster(
            self._library, name=name if isinstance(name, str) else "New roster", new_id=self._new_id
        )
        self._roster = edit.roster
        unreadable = [p.message for p in self._library.problems if p.kind == "unreadable-file"]
        return {"type": "setupResult", "errors": unreadable}

    def _teardown(self, _: Message) -> Answer:
        self._library = self._roster = self._state = None
        return {"type": "teardownResult"}

    def _export(self) -> str:
        return write_roster(self._need_library(), self.state(), layout=NEW_RECRUIT).decode()

    def _action(self, message: Message) -> Answer:
        try:
            outputs = self._act(message)
        except GameError as refusal:
            return {"type": "actionResult", "ok": False, "error": str(refusal)}
        return {"type": "actionResult", "ok": True, "outputs": outputs}

    def _act(self, message: Message) -> Answer:  # noqa: PLR0911, PLR0912 - one branch an action
        library, roster = self._need_library(), self.state().roster
        action = message.get("action")
        match action:
            case "addForce" | "addChildForce":
                parent = message.get("forceId") if action == "addChildForce" else None
                edit = edits.add_force(
                    library,
                    roster,
                    force_entry_id=_text(message, "forceEntryId"),
                    catalogue_id=_text(message, "catalogueId"),
                    parent_id=parent if isinstance(parent, str) else None,
                    new_id=self._new_id,
                )
                return self._done(edit, forceId=edit.node_id, selections=edit.created)
            case "selectEntry" | "selectChildEntry":
                parent_id = _text(message, "forceId" if action == "selectEntry" else "selectionId")
                edit = edits.select(
                    library, roster, parent_id=parent_id, entry_id=_text(message, "entryId"), new_id=self._new_id
                )
                return self._done(edit, selectionId=edit.node_id, selections=edit.created)
            case "removeForce":
                return self._done(edits.remove(library, roster, node_id=_text(message, "forceId")))
            case "deselectSelection":
                return self._done(edits.deselect(library, roster, selection_id=_text(message, "selectionId")))
            case "duplicateForce":
                edit = edits.duplicate(library, roster, node_id=_text(message, "forceId"), new_id=self._new_id)
                return self._done(edit, forceId=edit.node_id)
            case "duplicateSelection":
                edit = edits.duplicate(library, roster, node_id=_text(message, "selectionId"), new_id=self._new_id)
                return self._done(edit, selectionId=edit.node_id)
            case "setSelectionCount":
                number = message.get("count")
                if not isinstance(number, int):
                    raise Refused("setSelectionCount needs a whole number count.")
                selection_id = _text(message, "selectionId")
                return self._done(
                    edits.set_amount(library, roster, selection_id=selection_id, amount=number, new_id=self._new_id)
                )
            case "setCostLimit":
                value = message.get("value")
                if not isinstance(value, (int, Decimal)):
                    raise Refused("setCostLimit needs a number value.")
                return self._done(edits.set_cost_limit(roster, type_id=_text(message, "costTypeId"), value=value))
            case "setCustomization":
                return self._customise(message, roster)
            case "loadRoster":
                return self._load(_text(message, "xml").encode())
            case "reload":
                return self._load(write_roster(library, self.state()))
            case _:
                raise Refused(f"Unknown action {action!r}.")

    def _customise(self, message: Message, roster: Roster) -> Answer:
        node_id = message.get("selectionId") or _text(message, "forceId")
        return self._done(
            edits.customise(
                roster,
                node_id=str(node_id),
                name=message.get("customName"),
                notes=message.get("customNotes"),
                category_id=message.get("categoryEntryId"),
            )
        )

    def _load(self, xml: bytes) -> Answer:
        library = self._need_library()
        settled = settle(library, read_roster(xml, file_name="roster"))
        self._roster = settled.roster
        return {"dropped": [f"{lost.name} ({lost.entry_id})" for lost in settled.dropped]}

    def _done(self, edit: edits.Edit, **outputs: object) -> Answer:
        filled = edits.fill_automatic(self._need_library(), edit.roster, new_id=self._new_id)
        self._roster = filled.roster
        return dict(outputs)


def _text(message: Message, key: str) -> str:
    value = message.get(key)
    if not isinstance(value, str):
        raise Refused(f"The field {key} is missing or no text.")
    return value


def state_json(state: RosterState, library: Library) -> Answer:
    """The `state` answer: base expectations of the suite."""
    return {
        "name": state.roster.name,
        "gameSystemId": library.system_id,
        "gameSystemName": library.system_name,
        "forces": [_force_json(force) for force in state.forces if not force.missing],
        "costs": [_cost_json(cost) for cost in state.costs],
        "costLimits": [_cost_json(cost) for cost in state.cost_limits],
        "validationErrors": errors_json(state),
    }


def errors_json(state: RosterState) -> list[Answer]:
    """The rows of the `errors` answer."""
    return [
        {
            "message": error.message,
            "ownerType": error.owner_type,
            "ownerId": error.owner_id,
            "ownerEntryId": error.owner_entry_id,
            "entryId": error.entry_id,
            "constraintId": error.constraint_id,
        }
        for error in state.errors
        if error.kind not in {ErrorKind.MISSING, ErrorKind.NOTICE}
    ]


def _force_json(force: ForceState) -> Answer:
    return _without_none(
        {
            "id": force.id,
            "name": force.name,
            "entryId": force.entry_id,
            "catalogueId": force.catalogue_id,
            "catalogueName": force.catalogue_name,
            "hidden": force.hidden,
            "selections": [_selection_json(child) for child in force.selections if not child.missing],
            "childForces": [_force_json(child) for child in force.forces if not child.missing],
            "profiles": [_profile_json(profile) for profile in force.profiles],
            "rules": [_rule_json(rule) for rule in force.rules],
            "categories": [_category_json(category) for category in force.categories],
            "publications": [{"id": row.id, "name": row.name} for row in force.publications],
            "availableEntryCount": force.available_entry_count,
            "page": force.page,
            "publicationId": force.publication_id,
            "customName": force.custom_name,
            "customNotes": force.notes,
        }
    )


def _selection_json(selection: SelectionState) -> Answer:
    return _without_none(
        {
            "id": selection.id,
            "name": selection.name,
            "entryId": selection.entry_id,
            "entryGroupId": selection.group_id,
            "type": selection.type,
            "number": selection.number,
            "hidden": selection.hidden,
            "costs": [_cost_json(cost) for cost in selection.costs],
            "children": [_selection_json(child) for child in selection.selections if not child.missing],
            "profiles": [_profile_json(profile) for profile in selection.profiles],
            "rules": [_rule_json(rule) for rule in selection.rules],
            "categories": [_category_json(category) for category in selection.categories],
            "page": selection.page,
            "publicationId": selection.publication_id,
            "publicationName": selection.publication_name,
            "customName": selection.custom_name,
            "customNotes": selection.notes,
        }
    )


def _cost_json(cost: Cost) -> Answer:
    return {"name": cost.name, "typeId": cost.type_id, "value": cost.value, "hidden": cost.hidden}


def _category_json(category: CategoryState) -> Answer:
    return _without_none(
        {
            "name": category.name,
            "entryId": category.id,
            "primary": category.primary,
            "page": category.page,
            "publicationId": category.publication_id,
            "customName": category.custom_name,
            "customNotes": category.notes,
        }
    )


def _profile_json(profile: ProfileState) -> Answer:
    rows = zip(profile.characteristics, profile.characteristic_ids, strict=True)
    return _without_none(
        {
            "id": profile.id,
            "name": profile.name,
            "typeId": profile.type_id,
            "typeName": profile.type_name,
            "hidden": profile.hidden,
            "page": profile.page,
            "publicationId": profile.publication_id,
            "characteristics": [{"name": name, "typeId": type_id, "value": value} for (name, value), type_id in rows],
        }
    )


def _rule_json(rule: RuleState) -> Answer:
    return _without_none(
        {
            "id": rule.id,
            "name": rule.name,
            "description": rule.description,
            "hidden": rule.hidden,
            "page": rule.page,
            "publicationId": rule.publication_id,
        }
    )


def _without_none(row: Answer) -> Answer:
    return {key: value for key, value in row.items() if value is not None}


def _number(value: object) -> object:
    if isinstance(value, Decimal):  # a float prints the digits of a decimal of up to 15 digits unchanged
        return int(value) if value == value.to_integral_value() else float(value)
    raise TypeError(type(value).__name__)


__all__ = ["Session", "serve", "state_json"]

if __name__ == "__main__":
    serve(sys.stdin, sys.stdout)
