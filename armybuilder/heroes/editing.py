"""Carries out edits on a hero, one after the other, and says in words what each of them did."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import singledispatchmethod
from typing import Any

import msgspec

from armybuilder.armylists import edits as e
from armybuilder.armylists import limits
from armybuilder.armylists.errors import EditRefused, TooLarge
from armybuilder.armylists.plain_words import one_line
from armybuilder.armylists.wording import same
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.relic.hero import (
    ATTRIBUTES,
    LEVELS,
    MISSIONS_A_RELIC,
    POINTS_A_LEVEL,
    START_INFLUENCE,
    Attributes,
    CorruptionCard,
    Hero,
    Loadout,
    Missions,
    StartValues,
)
from armybuilder.heroes import edits as h
from armybuilder.heroes.wording import ACTION_NAMES, DIAL_NAMES, FACE_WORDS, MOMENT_NAMES, TIER_NAMES

_MISSIONS = {"active_missions": "active", "completed_missions": "completed"}
_USUAL = {"level": 0, "influence": 0, "corruption_threshold": 6}
"""Dials that always have a value, and the one that counts when none is stated."""


@dataclass(slots=True)
class HeroDraft:
    """A hero while edits are carried out on him.

    Attributes:
        done: what the edits did, in words; nothing for an edit that changed nothing.
        points_limit, node_id, state: of lists of other kinds; a hero has none of them.
    """

    document: Loadout
    done: list[Text] = field(default_factory=list)
    points_limit: None = None
    node_id: None = None
    state: None = None

    def apply(self, edits: Sequence[e.Edit]) -> None:
        """Carry out all edits.

        Raises:
            EditRefused: one of them cannot be carried out; its pointer begins with its index if there are several.
            TooLarge: the document would become too large.
        """
        for index, edit in enumerate(edits):
            before = self.document
            try:
                text = self._carry_out(edit)
            except (EditRefused, TooLarge) as refusal:
                if len(edits) > 1:
                    refusal.at = f"/{index}{refusal.at or ''}"
                raise
            if self.document != before:
                self.done.append(text)
        check_hero_sizes(self.document)

    @property
    def hero(self) -> Hero:
        """The hero as he is now."""
        return self.document.hero

    @singledispatchmethod
    def _carry_out(self, edit: e.Edit) -> Text:
        raise EditRefused(
            Text(
                en="This edit is made for army lists; a hero has no detachments, units or points.",
                ru="Эта правка – для списков армий; у героя нет подразделений, боевых единиц и очков.",
            ),
            "/edit",
        )

    @_carry_out.register
    def _(self, edit: e.SetName) -> Text:
        name = one_line(edit.name)
        if not name:
            raise EditRefused(Text(en="A list needs a name.", ru="Ростеру нужно название."), "/name")
        self.document = msgspec.structs.replace(self.document, name=name)
        return Text(en=f"The list is now called “{name}”", ru=f"Ростер назван «{name}»")

    @_carry_out.register
    def _(self, edit: e.SetNotes) -> Text:
        if edit.node_id is not None:
            raise EditRefused(
                Text(en="A hero has notes of the whole list only.", ru="Заметки бывают только ко всему герою."),
                "/node_id",
            )
        self.document = msgspec.structs.replace(self.document, notes=edit.notes or None)
        return Text(en="Notes on the list changed", ru="Заметки к ростеру изменены")

    @_carry_out.register
    def _(self, edit: h.SetDial) -> Text:
        before = dial_value(self.document, edit.dial)
        if edit.dial == "players":
            if edit.value is not None and edit.value < 1:
                raise EditRefused(Text(en="A game has players.", ru="В игре есть игроки."), "/value")
            self.document = msgspec.structs.replace(self.document, players=edit.value)
        elif edit.dial in ATTRIBUTES:
            attributes = self.hero.attributes or Attributes()
            self._replace(attributes=msgspec.structs.replace(attributes, **{edit.dial: edit.value}))
        elif edit.dial in _MISSIONS:
            if edit.value is not None and edit.value < 0:
                raise EditRefused(
                    Text(en="Missions are counted from 0.", ru="Задания считаются от 0."), "/value"
                )  # the document has no negative numbers here
            missions = self.hero.missions or Missions()
            self._replace(missions=msgspec.structs.replace(missions, **{_MISSIONS[edit.dial]: edit.value}))
        else:
            value = _USUAL.get(edit.dial) if edit.value is None else edit.value
            self._replace(**{edit.dial: value})
        name, old, new = DIAL_NAMES[edit.dial], _stated(before), _stated(dial_value(self.document, edit.dial))
        return Text(en=f"{name.en}: {old.en} → {new.en}", ru=f"{name.ru}: {old.ru} → {new.ru}")

    @_carry_out.register
    def _(self, edit: h.SetMoment) -> Text:
        self._replace(checkpoint=edit.checkpoint, experience_skipped=edit.experience_skipped)
        words = MOMENT_NAMES[edit.checkpoint]
        if edit.experience_skipped:
            words = Text(f"{words.en}, Experience phase skipped", f"{words.ru}, фаза Опыта пропущена")
        return Text(en=f"Moment: {words.en}", ru=f"Момент: {words.ru}")

    @_carry_out.register
    def _(self, edit: h.SetTier) -> Text:
        self._replace(tier=edit.tier)
        words = TIER_NAMES[edit.tier]
        return Text(en=f"Where he is: {words.en}", ru=f"Где герой: {words.ru}")

    @_carry_out.register
    def _(self, edit: h.SetCharacter) -> Text:
        name = edit.character.name or "–"
        if not edit.set_up:
            self._replace(character=edit.character)
            return Text(en=f"Character: {name}", ru=f"Персонаж: {name}")
        start = edit.character.start
        self._replace(
            character=edit.character,
            checkpoint="start",
            experience_skipped=False,
            tier="outer",
            level=0,
            attributes=_attributes(start),
            life=start.life if start else None,
            influence=START_INFLUENCE,
            power_cards=(),
            assets=(),
            missions=Missions(active=1, completed=0),
            corruption=(),
            corruption_discarded=False,
            trophies=(),
            battle_kit=(),
            skill_kit=(),
        )
        return Text(en=f"Set up for a new game: {name}", ru=f"Подготовлен к новой игре: {name}")

    @_carry_out.register
    def _(self, edit: h.SetOutOfGame) -> Text:
        self._replace(corrupted_characters=edit.characters)
        names = ", ".join(edit.characters) or "–"
        return Text(en=f"Out of this game: {names}", ru=f"Выбыли из этой игры: {names}")

    @_carry_out.register
    def _(self, edit: h.Recover) -> Text:
        start = self.hero.character.start if self.hero.character else None
        if start is None or start.life is None:
            raise EditRefused(
                Text(
                    en="Without a character card nobody knows the Life he starts with. Choose a character first.",
                    ru="Без карточки персонажа неизвестно начальное Здоровье. Сначала выберите персонажа.",
                )
            )
        self._replace(power_cards=(), trophies=(), influence=0, life=start.life)
        return Text(
            en=f"Vanquished: Power cards, trophies and Influence lost, Life {start.life}",
            ru=f"Разгромлен: карты Силы, трофеи и Влияние потеряны, Здоровье {start.life}",
        )

    @_carry_out.register
    def _(self, edit: h.SpendTrophies) -> Text:
        for index in edit.places:
            _at(self.hero.trophies, index)
        spent = set(edit.places)
        points = sum(self.hero.trophies[index].points for index in spent)
        bought = points // POINTS_A_LEVEL
        if bought < 1:
            raise EditRefused(
                Text(
                    en=f"These trophies are worth {points}; a level costs {POINTS_A_LEVEL}.",
                    ru=f"Эти трофеи стоят {points}; уровень стоит {POINTS_A_LEVEL}.",
                ),
                "/places",
            )
        level = max(self.hero.level, min(LEVELS[-1], self.hero.level + bought))
        missions = self.hero.missions or Missions()
        if beyond := self.hero.level + bought - level:
            missions = msgspec.structs.replace(missions, completed=(missions.completed or 0) + beyond)
        left = tuple(card for index, card in enumerate(self.hero.trophies) if index not in spent)
        before = self.hero.level
        self._replace(trophies=left, level=level, missions=missions if beyond else self.hero.missions)
        return Text(
            en=f"Trophies worth {points} spent: level {before} → {level}",
            ru=f"Потрачены трофеи на {points}: уровень {before} → {level}",
        )

    @_carry_out.register
    def _(self, edit: h.TradeMissions) -> Text:
        completed = (self.hero.missions.completed if self.hero.missions else None) or 0
        if completed < MISSIONS_A_RELIC or edit.card.kind != "relic":
            raise EditRefused(
                Text(
                    en=f"A relic costs {MISSIONS_A_RELIC} completed missions; the hero has {completed}.",
                    ru=f"Реликвия стоит трёх выполненных заданий; у героя их {completed}.",
                ),
                "/card",
            )
        missions = msgspec.structs.replace(self.hero.missions or Missions(), completed=completed - MISSIONS_A_RELIC)
        self._replace(missions=missions, assets=(*self.hero.assets, edit.card))
        return Text(en=f"Traded missions for {edit.card.name}", ru=f"Задания обменяны на реликвию: {edit.card.name}")

    @_carry_out.register
    def _(self, edit: h.Fall) -> Text:
        start, lost = edit.character.start, self.hero.character.name if self.hero.character else None
        name = edit.character.name or "–"
        if name in (lost, *self.hero.corrupted_characters):
            raise EditRefused(
                Text(en=f"{name} is out of this game.", ru=f"{name}: этот персонаж выбыл из игры."), "/character/name"
            )
        self._replace(
            character=edit.character,
            tier="outer",
            level=0,
            attributes=_attributes(start),
            life=start.life if start else None,
            influence=0,
            power_cards=(),
            corruption=(),
            corruption_discarded=False,
            trophies=(),
            corrupted_characters=(*self.hero.corrupted_characters, *([lost] if lost else [])),
        )
        return Text(en=f"Corrupted; {name} goes on", ru=f"Поддался Хаосу; вместо него {name}")

    @_carry_out.register
    def _(self, edit: h.TakePowerCard) -> Text:
        self._replace(power_cards=(*self.hero.power_cards, edit.card))
        name = f" {edit.card.name}" if edit.card.name else ""
        return Text(en=f"Took Power card {edit.card.number}{name}", ru=f"Взята карта Силы {edit.card.number}{name}")

    @_carry_out.register
    def _(self, edit: h.TakeAsset) -> Text:
        card = edit.card
        if card.charge_value is not None and card.charges is None:
            card = msgspec.structs.replace(card, charges=card.charge_value)
        self._replace(assets=(*self.hero.assets, card))
        return Text(en=f"Took {card.name}", ru=f"Взято: {card.name}")

    @_carry_out.register
    def _(self, edit: h.DrawCorruption) -> Text:
        place = len(self.hero.corruption) + 1
        face = edit.face or ("up" if edit.activation <= place else "down")
        self._replace(corruption=(*self.hero.corruption, CorruptionCard(activation=edit.activation, face=face)))
        words = FACE_WORDS[face]
        return Text(
            en=f"Drew corruption card {edit.activation}, {words.en}",
            ru=f"Взята карта Порчи {edit.activation}, {words.ru}",
        )

    @_carry_out.register
    def _(self, edit: h.TakeTrophy) -> Text:
        self._replace(trophies=(*self.hero.trophies, edit.card))
        return Text(en=f"Took a trophy worth {edit.card.points}", ru=f"Взят трофей: {edit.card.points}")

    @_carry_out.register
    def _(self, edit: h.GiveBack) -> Text:
        if edit.pile == "actions":
            rest, gone = _without(self.document.actions, edit.index)
            self.document = msgspec.structs.replace(self.document, actions=rest)
            words = ACTION_NAMES[gone.action]
            return Text(en=f"No longer planned: {words.en}", ru=f"Больше не планируется: {words.ru}")
        rest, gone = _without(getattr(self.hero, edit.pile), edit.index)
        self._replace(**{edit.pile: rest})
        if edit.pile == "assets":
            self._forget_in_kits(gone.name)
            return Text(en=f"Gave back {gone.name}", ru=f"Сброшено: {gone.name}")
        if edit.pile == "power_cards":
            name = f" {gone.name}" if gone.name else ""
            return Text(en=f"Gave back Power card {gone.number}{name}", ru=f"Сброшена карта Силы {gone.number}{name}")
        if edit.pile == "trophies":
            return Text(en=f"Gave back a trophy worth {gone.points}", ru=f"Сброшен трофей: {gone.points}")
        if edit.index < len(rest):  # the cards after it move up, so their faces say nothing any more
            self._replace(corruption_discarded=True)
        return Text(en=f"Discarded corruption card {gone.activation}", ru=f"Сброшена карта Порчи {gone.activation}")

    @_carry_out.register
    def _(self, edit: h.SetCharges) -> Text:
        asset = _at(self.hero.assets, edit.index)
        self._put("assets", edit.index, msgspec.structs.replace(asset, charges=edit.charges))
        old = _stated(asset.charges)
        return Text(
            en=f"{asset.name}: charges {old.en} → {edit.charges}", ru=f"{asset.name}: заряды {old.ru} → {edit.charges}"
        )

    @_carry_out.register
    def _(self, edit: h.TurnCorruption) -> Text:
        card = _at(self.hero.corruption, edit.index)
        turned = CorruptionCard(activation=card.activation, face=edit.face, flipped_by_effect=edit.by_effect)
        self._put("corruption", edit.index, turned)
        words = FACE_WORDS[edit.face]
        return Text(
            en=f"Corruption card {card.activation} now lies {words.en}",
            ru=f"Карта Порчи {card.activation} теперь лежит {words.ru}",
        )

    @_carry_out.register
    def _(self, edit: h.SetKit) -> Text:
        for index, name in enumerate(edit.cards):
            if all(asset.name != name for asset in self.hero.assets):
                raise EditRefused(
                    Text(en=f"The hero has no card “{name}”.", ru=f"У героя нет карты «{name}»."), f"/cards/{index}"
                )
        self._replace(**{f"{edit.kit}_kit": edit.cards})
        names = ", ".join(edit.cards) or "–"
        if edit.kit == "battle":
            return Text(en=f"Used in battle: {names}", ru=f"В бою: {names}")
        return Text(en=f"Used in skill tests: {names}", ru=f"При проверках навыка: {names}")

    @_carry_out.register
    def _(self, edit: h.PlanAction) -> Text:
        self.document = msgspec.structs.replace(self.document, actions=(*self.document.actions, edit.action))
        words = ACTION_NAMES[edit.action.action]
        return Text(en=f"Planned: {words.en}", ru=f"Запланировано: {words.ru}")

    def _replace(self, **parts: Any) -> None:
        self.document = msgspec.structs.replace(self.document, hero=msgspec.structs.replace(self.hero, **parts))

    def _put(self, pile: str, index: int, card: Any) -> None:
        cards = list(getattr(self.hero, pile))
        cards[index] = card
        self._replace(**{pile: tuple(cards)})

    def _forget_in_kits(self, name: str) -> None:
        """A card that is gone is used nowhere; another of the same name may be."""
        left = {asset.name for asset in self.hero.assets}
        if name not in left:
            self._replace(
                battle_kit=tuple(card for card in self.hero.battle_kit if card != name),
                skill_kit=tuple(card for card in self.hero.skill_kit if card != name),
            )


def dial_value(document: Loadout, dial: str) -> int | None:
    """What a dial shows; None when nothing is stated."""
    hero = document.hero
    if dial == "players":
        return document.players
    if dial in _MISSIONS:
        return getattr(hero.missions, _MISSIONS[dial]) if hero.missions else None
    if dial in ATTRIBUTES:
        return getattr(hero.attributes, dial) if hero.attributes else None
    value: int | None = getattr(hero, dial)
    return value


def check_hero_sizes(document: Loadout) -> None:
    """Refuse a hero with more cards than allowed, or with texts or numbers that are too long.

    Raises:
        TooLarge: naming the number and the place.
    """
    _check_size(msgspec.to_builtins(document), "")


def _check_size(value: object, at: str) -> None:
    if isinstance(value, dict):
        for name, member in value.items():
            _check_size(member, f"{at}/{name}")
    elif isinstance(value, list | tuple):
        if len(value) > limits.CARDS:
            raise TooLarge(
                Text(
                    en=f"{len(value)} cards are too many; {limits.CARDS} are allowed.",
                    ru=f"Слишком много карт: {len(value)}; допускается {limits.CARDS}.",
                ),
                at,
            )
        for index, item in enumerate(value):
            _check_size(item, f"{at}/{index}")
    elif isinstance(value, str):
        longest = limits.NOTES_LENGTH if at == "/notes" else limits.NAME_LENGTH
        if len(value) > longest:
            raise TooLarge(
                Text(
                    en=f"The text has {len(value)} characters; {longest} are allowed.",
                    ru=f"В тексте {len(value)} знаков; допускается {longest}.",
                ),
                at,
            )
    elif isinstance(value, int) and abs(value) > limits.POINTS:
        raise TooLarge(Text(en="The number is too large.", ru="Число слишком велико."), at)


def _attributes(start: StartValues | None) -> Attributes | None:
    return Attributes(**{name: start.get(name) for name in ATTRIBUTES}) if start else None


def _at(cards: Sequence[Any], index: int) -> Any:
    if index >= len(cards):
        raise EditRefused(Text(en="There is no such card (any more).", ru="Такой карты нет (или уже нет)."), "/index")
    return cards[index]


def _without(cards: tuple[Any, ...], index: int) -> tuple[tuple[Any, ...], Any]:
    return (*cards[:index], *cards[index + 1 :]), _at(cards, index)


def _stated(value: int | None) -> Text:
    return Text("not stated", "не указано") if value is None else same(str(value).replace("-", "−"))
