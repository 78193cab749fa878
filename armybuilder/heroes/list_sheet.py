"""A hero as a sheet: his character with the dials, and his cards by kind, each as a unit without points."""

from collections.abc import Iterator

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
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.relic.hero import ATTRIBUTES, Asset, Hero, Loadout
from armybuilder.engine.systems.relic.list_rules.rules import COLOR_NAMES
from armybuilder.heroes.wording import ASSET_CLASS_NAMES, DIAL_NAMES, KIND_NAMES, MOMENT_NAMES, TIER_NAMES
from armybuilder.reference.names import Names, names_of, russian

_CHARACTER = Text("Character", "Персонаж")
_ASSETS = Text("Assets", "Активы")
_POWERS = Text("Power cards", "Карты Силы")
_CORRUPTION = Text("Corruption", "Порча")
_TROPHIES = Text("Trophies", "Трофеи")
_BATTLE_BONUS = Text("battle bonus", "боевой бонус")
_SKILL_BONUS = Text("skill bonus", "бонус проверки")
_CARD = Text("card", "карта")
_POINTS = Text("points", "очки")


def hero_sheet(army_list: ArmyList, report: ListReport, document: Loadout) -> ListSheet:
    """The sheet of a list that is a hero, in the language of the reader."""
    names = names_of(report.rule_pack or "")
    character = document.hero.character
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
                name=visible(document.hero.name) or name or in_language(_CHARACTER),
                faction=name,
                points=None,
                roles=tuple(role for role in _roles(document.hero, names) if role.units),
            ),
        ),
        notes=visible_lines(document.notes),
        verdict=report.verdict,
        findings=told_findings(report, names),
        unchecked=tuple(visible(in_language(part.text)) for part in report.unchecked),
        release=SheetRelease.of(army_list.release),
        revision=report.revision,
    )


def _roles(hero: Hero, names: Names) -> Iterator[SheetRole]:
    character = hero.character
    called = visible(names(character.name)) if character is not None and character.name else in_language(_CHARACTER)
    yield _role(_CHARACTER, [(called, tuple(_dials(hero)))])
    yield _role(_ASSETS, [(visible(names(asset.name)), tuple(_asset(asset))) for asset in hero.assets])
    yield _role(_POWERS, [(_numbered(names(card.name or ""), card.number), ()) for card in hero.power_cards])
    yield _role(_CORRUPTION, [(_numbered("", card.activation), ()) for card in hero.corruption])
    yield _role(_TROPHIES, [(f"{trophy.points} ({in_language(_POINTS)})", ()) for trophy in hero.trophies])


def _role(title: Text, cards: list[tuple[str, tuple[str, ...]]]) -> SheetRole:
    name = in_language(title)
    units = tuple(
        SheetUnit(
            id=f"{title.en}-{number}", name=card, role=name, points=None, is_card=title is not _CHARACTER, facts=facts
        )
        for number, (card, facts) in enumerate(cards)
    )
    return SheetRole(name=name, units=units, current=len(units))


def _dials(hero: Hero) -> Iterator[str]:
    values: list[tuple[str, object]] = [("level", hero.level)]
    if hero.attributes is not None:
        values += [(name, hero.attributes.get(name)) for name in ATTRIBUTES]
    values += [("life", hero.life), ("influence", hero.influence)]
    for name, value in values:
        if value is not None:
            yield f"{in_language(DIAL_NAMES[name])} {value}"
    yield in_language(MOMENT_NAMES[hero.checkpoint])
    yield in_language(TIER_NAMES[hero.tier])


def _asset(asset: Asset) -> Iterator[str]:
    if asset.kind is not None:
        yield in_language(KIND_NAMES[asset.kind])
    if asset.asset_class is not None:
        yield in_language(ASSET_CLASS_NAMES[asset.asset_class])
    for words, bonus in ((_BATTLE_BONUS, asset.battle_bonus), (_SKILL_BONUS, asset.skill_bonus)):
        if bonus is not None:
            known = COLOR_NAMES.get(bonus.color.lower())
            color = in_language(known) if known is not None else visible(bonus.color)
            yield f"{in_language(words)}: {color} +{bonus.value}"


def _numbered(name: str, number: object) -> str:
    return f"{visible(name)} ({number})" if name else f"{in_language(_CARD)} {number}"
