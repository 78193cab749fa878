"""Who may lead an army, and which warlord traits are open to him."""

from collections.abc import Iterator
from dataclasses import dataclass

from armybuilder.armylists.facts import warlord_traits
from armybuilder.armylists.reports import ListReport
from armybuilder.armylists.roster_sheet import leaders
from armybuilder.engine.roster.state import SelectionState
from armybuilder.reference.names import Names
from armybuilder.web.formatting import localized
from armybuilder.web.pages.roster_view import numbered


@dataclass(frozen=True, slots=True)
class Candidate:
    """A model or unit that can be named warlord.

    Attributes:
        rank: 0 Primarchs, 1 HQ characters, 2 other characters, 3 everybody else.
    """

    id: str
    name: str
    role: str
    is_warlord: bool
    rank: int


@dataclass(frozen=True, slots=True)
class Trait:
    """A warlord trait; `key` is what the list records."""

    key: str
    name: str
    is_taken: bool


@dataclass(frozen=True, slots=True)
class WarlordPane:
    """The choice of warlord and trait.

    Attributes:
        candidates: those whom the rules name first; `others` only where there are none of these.
        chosen: node id of the warlord; empty without one.
        trait: the recorded trait; empty without one.
    """

    candidates: tuple[Candidate, ...]
    others: tuple[Candidate, ...]
    traits: tuple[Trait, ...]
    chosen: str
    trait: str

    @property
    def trait_name(self) -> str:
        """The recorded trait as the reader calls it; empty without one."""
        return next((trait.name for trait in self.traits if trait.is_taken), "")


def warlord_pane(report: ListReport, names: Names) -> WarlordPane:
    """The models of the Primary Detachment that can lead, and the traits the rules and the list know."""
    chosen, trait = _present(report)
    found = []
    units = tuple(_primary_units(report))
    called = numbered([state.custom_name or names(state.name) for state, _ in units])
    for (state, role), unit in zip(units, called, strict=True):
        single = [part for part in state.walk() if part.type == "model" and part.number == 1]
        leaders = [part for part in single if part.id == chosen or _rank(part, role) < 3] or [state]
        for leader in leaders:
            name = unit
            if leader.id != state.id and names(leader.name) != (state.custom_name or names(state.name)):
                name = f"{unit}: {names(leader.name)}"
            is_warlord = leader.id == chosen or (leader is leaders[0] and state.id == chosen)
            found.append(Candidate(leader.id, name, names(role), is_warlord, _rank(leader, role)))
    found.sort(key=lambda candidate: candidate.rank)
    further = [str(name) for name in report.facts.get("allowed_warlord_traits") or ()]
    known = [
        *((key, localized(text)) for key, text in warlord_traits(report.rule_pack or "").items()),
        *((name, names(name)) for name in further),
    ]
    if trait and all(trait.casefold() not in (key.casefold(), name.casefold()) for key, name in known):
        known.append((trait, names(trait)))
    first = next((number for number in (1, 2) if any(candidate.rank <= number for candidate in found)), 0)
    return WarlordPane(
        candidates=tuple(candidate for candidate in found if candidate.rank <= first or candidate.is_warlord),
        others=tuple(candidate for candidate in found if candidate.rank > first and not candidate.is_warlord),
        traits=tuple(Trait(key, name, trait.casefold() in (key.casefold(), name.casefold())) for key, name in known),
        chosen=next((candidate.id for candidate in found if candidate.is_warlord), ""),
        trait=trait,
    )


def _present(report: ListReport) -> tuple[str, str]:
    """Node id and trait of the warlord: the army document's, or else what the list states."""
    stated = (str(report.facts.get("warlord") or ""), str(report.facts.get("warlord_trait") or ""))
    return next(leaders(report), stated)


def _primary_units(report: ListReport) -> Iterator[tuple[SelectionState, str]]:
    """Units of the first detachment with the name of their role: only it can hold the warlord."""
    for force in report.state.all_forces():
        pointer = next((at for at, node_id in report.places.items() if node_id == force.id), "")
        if pointer.startswith("/detachments/") and report.army is not None:
            detachment = report.army.detachments[int(pointer.split("/")[2])]
            if str(getattr(detachment, "type", "primary")) != "primary":
                continue
        for selection in force.selections:
            category = selection.primary_category
            yield selection, category.name if category else ""


def _rank(leader: SelectionState, role: str) -> int:
    """How soon the rules name this model, by its printed unit type and rules."""
    printed = " ".join(
        [*(profile.value("Unit Type") or "" for profile in leader.profiles), *(rule.name for rule in leader.rules)]
    ).casefold()
    if "primarch" in printed:
        return 0
    if "character" in printed:
        return 1 if role == "HQ" else 2
    return 3
