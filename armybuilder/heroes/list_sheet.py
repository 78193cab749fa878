"""A hero as a sheet: his character with the dials, and his cards by kind, each as a unit without points."""

from collections.abc import Iterator, Sequence

from armybuilder.armylists.list_sheet import (
    ListSheet,
    SheetDetachment,
    SheetRelease,
    SheetRole,
    SheetUnit,
    in_language,
    told_findings,
    visible,
    visible_lines,
)
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.reports import ListReport
from armybuilder.datafiles.card_sets import cards_of
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.relic.hero import Loadout
from armybuilder.heroes.stated_words import (
    ASSETS,
    CHARACTER,
    CORRUPTION,
    CORRUPTION_CARDS,
    PLANS,
    POWER_CARD,
    POWERS,
    TROPHIES,
    TROPHY,
    of_action,
    of_asset,
    of_corruption,
    of_hero,
    of_trophy,
    words_of,
)
from armybuilder.heroes.wording import ACTION_NAMES
from armybuilder.reference.names import Names, names_of, russian


def hero_sheet(army_list: ArmyList, report: ListReport, document: Loadout) -> ListSheet:
    """The sheet of a list that is a hero, in the language of the reader."""
    names = names_of(report.rule_pack or "")
    character = document.hero.character
    card = cards_of(army_list.release_id).character(character.name) if character is not None else None
    is_known = card is not None and card.as_character() == character
    name = visible(names(character.name)) if character is not None and character.name else ""
    return ListSheet(
        name=visible(army_list.name),
        language="ru" if russian() else "en",
        game=visible(army_list.system.label),
        rule_pack=report.rule_pack,
        points=None,
        limit=None,
        detachments=(
            SheetDetachment(
                name=visible(document.hero.name) or name or in_language(CHARACTER),
                faction=name,
                points=None,
                roles=tuple(role for role in _roles(document, names, card_is_known=is_known) if role.units),
            ),
        ),
        notes=visible_lines(document.notes),
        verdict=report.verdict,
        findings=told_findings(report, names),
        unchecked=tuple(visible(in_language(part.text)) for part in report.unchecked),
        release=SheetRelease.of(army_list.release),
        revision=report.revision,
    )


def _roles(loadout: Loadout, names: Names, *, card_is_known: bool) -> Iterator[SheetRole]:
    hero = loadout.hero
    character = hero.character
    called = visible(names(character.name)) if character is not None and character.name else in_language(CHARACTER)
    dials = words_of(of_hero(loadout, card_is_known=card_is_known), names)
    yield _role(CHARACTER, [(called, dials)])
    yield _role(ASSETS, [(visible(names(asset.name)), words_of(of_asset(asset), names)) for asset in hero.assets])
    yield _role(POWERS, [(_numbered(names(card.name or ""), POWER_CARD, card.number), ()) for card in hero.power_cards])
    corruption = [
        (_numbered("", CORRUPTION, card.activation), words_of(of_corruption(card), names)) for card in hero.corruption
    ]
    yield _role(CORRUPTION_CARDS, corruption)
    trophies = [(_numbered("", TROPHY, trophy.points), words_of(of_trophy(trophy), names)) for trophy in hero.trophies]
    yield _role(TROPHIES, trophies)
    planned = [
        (in_language(ACTION_NAMES[action.action]), words_of(of_action(action), names)) for action in loadout.actions
    ]
    yield _role(PLANS, planned)


def _role(title: Text, cards: Sequence[tuple[str, tuple[tuple[str, str], ...]]]) -> SheetRole:
    name = in_language(title)
    units = tuple(
        SheetUnit(
            id=f"{title.en}-{number}",
            name=card,
            role=name,
            points=None,
            is_card=title is not CHARACTER,
            stated=stated,
            facts=tuple(f"{label}: {value}" if value else label for label, value in stated),
        )
        for number, (card, stated) in enumerate(cards)
    )
    return SheetRole(name=name, units=units, current=len(units))


def _numbered(name: str, kind: Text, number: object) -> str:
    return f"{visible(name) or in_language(kind)} ({number})"
