"""Heroes as a type of list: the stored document is the army document."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any
from uuid import UUID

import msgspec

from armybuilder.armylists.checking import Levels
from armybuilder.armylists.edits import Edit
from armybuilder.armylists.list_types import ListDraft
from armybuilder.armylists.models import ArmyList, DocumentKind
from armybuilder.armylists.reports import ListFinding, ListReport
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.engine.documents import without_extensions
from armybuilder.engine.findings import Severity, Text
from armybuilder.engine.systems.relic.hero import Loadout
from armybuilder.heroes import documents, editing
from armybuilder.heroes.changes import changes_between
from armybuilder.heroes.checking import report_on_hero
from armybuilder.heroes.edits import SetDial
from armybuilder.heroes.list_sheet import hero_sheet
from armybuilder.heroes.repairs import hero_candidates
from armybuilder.heroes.text_reading import hero_in_text

FIRST_HAND = ("RL-13", "/hero/power_cards")
"""Rule and place of what is said while the Power cards of the set-up are not yet drawn."""


class HeroLists:
    """Lists that are heroes."""

    kind = DocumentKind.ARMY
    document_type = Loadout
    rule_packs = frozenset({documents.SYSTEM})
    follows_releases = False
    read = staticmethod(documents.read_hero)
    written = staticmethod(documents.written_hero)
    check_sizes = staticmethod(editing.check_hero_sizes)
    changes = staticmethod(changes_between)
    sheet = staticmethod(hero_sheet)
    in_text = staticmethod(hero_in_text)

    def parse(self, raw: object) -> Loadout:
        """An army document."""
        return documents.parse_hero(without_extensions(raw))

    def title(self, document: Loadout) -> str:
        """The document's name."""
        return document.name or ""

    def renamed(self, document: Loadout, name: str) -> Loadout:
        """The same hero under another name."""
        return msgspec.structs.replace(document, name=name)

    def refusal_of_catalogues(self, system: PublishedSystem) -> Text | None:
        """Always: heroes have no catalogues."""
        return Text(
            en=f"Lists of {system.name} are heroes; they begin with a character, not with a catalogue.",
            ru=f"Ростеры игры «{system.label}» – герои; они начинаются с персонажа, а не с каталога.",
        )

    def draft(self, army_list: ArmyList, document: Loadout, state: Any, new_id: Any) -> ListDraft:
        """A draft of the hero alone."""
        return editing.HeroDraft(document)

    def report_on(
        self,
        document: Loadout,
        *,
        system: PublishedSystem,
        release_id: UUID,
        points_limit: int | None,
        revision: int,
        levels: Levels,
        previous: Any = None,
    ) -> ListReport:
        """The verdict by the rulebook; data, points and earlier states play no part in it."""
        return report_on_hero(document, system=system, revision=revision, levels=levels)

    def factions(self, report: ListReport) -> Sequence[str]:
        """His character."""
        character = report.army.hero.character
        return (character.name,) if character is not None and character.name else ()

    def role_points(self, report: ListReport) -> Sequence[tuple[str, Decimal]]:
        """Nothing: heroes cost no points."""
        return ()

    def left_to_choose(self, report: ListReport) -> int:
        """The Power cards that a hero who begins has still to draw."""
        character = report.army.hero.character
        wrong = {(finding.rule, finding.at) for finding in report.findings if finding.severity is Severity.ERROR}
        if character is None or wrong != {FIRST_HAND}:
            return 0
        return max(0, (character.power_limit_at(0) or 0) - len(report.army.hero.power_cards))

    def has_node(self, document: Loadout, node_id: str | None) -> bool:
        """Never: a hero has no nodes."""
        return False

    def repair_candidates(
        self, report: ListReport, finding: ListFinding, document: Loadout
    ) -> Iterator[tuple[Edit, ...]]:
        """Cards given back, dials turned, another place on the board."""
        return hero_candidates(finding, document)

    def says_the_same(self, first: Edit, second: Edit) -> bool:
        """Whether the same dial is turned further."""
        return isinstance(first, SetDial) and isinstance(second, SetDial) and first.dial == second.dial


HEROES = HeroLists()
