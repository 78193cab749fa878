"""Heroes are lists like any other: edits, history, undo, copies, links, the bin; and nothing of an army."""

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from armybuilder.accounts.errors import NotFound
from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import limits, queries, services
from armybuilder.armylists.edits import parse_edits
from armybuilder.armylists.errors import EditRefused, NothingToRedo, NothingToUndo, RevisionConflict, TooLarge
from armybuilder.armylists.exports import FORMATS
from armybuilder.armylists.exports.army_document import ARMY_DOCUMENT
from armybuilder.armylists.history import difference, history
from armybuilder.armylists.release_impact import is_offered, newer_release
from armybuilder.datafiles.bundles import IncomingFile, bundle_of_paths, bundle_of_uploads
from armybuilder.datafiles.card_sets import cards_of
from armybuilder.datafiles.errors import NothingToPublish
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.engine.check import check
from armybuilder.engine.documents import parse_army
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.systems.relic.hero import Asset, Attributes, Bonus, CorruptionCard, Missions, PowerCard, Trophy
from armybuilder.heroes import edits as h
from armybuilder.heroes.documents import parse_hero
from armybuilder.heroes.edits import AnyEdit
from armybuilder.heroes.services import create_hero
from armybuilder.reference import publishing
from armybuilder.reference.importing import import_games
from tests.armylists.conftest import heresy
from tests.heroes.hero import ASSASSIN, CAPTAIN, FOLDER, HeroInHand, captain, hero_viewer, new_hero, relic

__all__ = ["captain", "heresy", "hero_viewer", "new_hero", "relic"]

SWORD = Asset(
    name="Power Sword",
    kind="wargear",
    asset_class="weapon",
    battle_bonus=Bonus(color="grey", value=3),
    charge_value=3,
    charges=3,
)


def test_a_new_hero_stands_as_the_set_up_rules_say(new_hero: Callable[..., HeroInHand]) -> None:
    made = new_hero()
    row, hero = made.row, made.hero
    assert (row.document_kind, row.points, row.points_limit, row.revision) == ("army", None, None, 1)
    assert (hero.checkpoint, hero.level, hero.influence, hero.life) == ("start", 0, 3, 5)
    assert hero.attributes == Attributes(strength=4, willpower=3, cunning=2)
    assert hero.missions == Missions(active=1, completed=0)
    assert made.rules() == ["RL-13"]  # the Power cards of the start are still to be drawn
    made.edit(h.TakePowerCard(card=PowerCard(number=5)), h.TakePowerCard(card=PowerCard(number=2)))
    assert made.row.verdict == "legal"


def test_the_stored_document_is_the_army_document(captain: HeroInHand) -> None:
    raw = json.loads(captain.row.document)
    assert (raw["system"], raw["name"]) == ("relic", "First voyage")
    assert check(parse_army(raw)).legal is True


@pytest.mark.parametrize(
    ("arguments", "at"),
    [
        ({"system_id": "relic", "name": " "}, "/name"),
        ({"system_id": "relic", "name": "A", "character": "Nobody"}, "/character"),
    ],
)
def test_a_hero_is_refused(arguments: dict[str, Any], at: str, relic: PublishedSystem, hero_viewer: Viewer) -> None:
    with pytest.raises(EditRefused) as refused:
        create_hero(hero_viewer, **arguments)
    assert refused.value.at == at


def test_games_of_armies_have_no_heroes_and_the_other_way_round(
    heresy: PublishedSystem, relic: PublishedSystem, hero_viewer: Viewer
) -> None:
    with pytest.raises(EditRefused):
        create_hero(hero_viewer, system_id="horus-heresy", name="A")
    with pytest.raises(EditRefused) as refused:
        services.create_army_list(hero_viewer, system_id="relic", name="A", catalogue_id="x")
    assert refused.value.at == "/catalogue_id"


def test_a_document_from_outside_becomes_a_hero(relic: PublishedSystem, hero_viewer: Viewer) -> None:
    document = parse_hero({"system": "relic", "name": "other", "hero": {"level": 4}, "notes": "n"})
    made = HeroInHand(hero_viewer, create_hero(hero_viewer, system_id="relic", name="Mine", document=document))
    assert (made.document.name, made.hero.level, made.document.notes) == ("Mine", 4, "n")


def test_a_document_of_another_game_is_no_hero() -> None:
    with pytest.raises(BadDocument):
        parse_hero({"system": "horus-heresy", "detachments": []})


@pytest.mark.parametrize(
    ("edit", "en", "ru"),
    [
        (h.SetDial(dial="strength", value=7), "Strength: 6 → 7", "Сила: 6 → 7"),
        (h.SetDial(dial="life", value=None), "Life: 5 → not stated", "Здоровье: 5 → не указано"),
        (h.SetDial(dial="completed_missions", value=2), "Completed missions: 0 → 2", "Выполненные задания: 0 → 2"),
        (h.SetDial(dial="influence", value=-2), "Influence: 3 → −2", "Влияние: 3 → −2"),
        (h.SetMoment(checkpoint="mid_turn"), "Moment: during a turn", "Момент: во время хода"),
        (h.SetTier(tier="middle"), "Where he is: Middle tier", "Где герой: Средний круг"),
        (h.TakeAsset(card=SWORD), "Took Power Sword", "Взято: Power Sword"),
        (
            h.TakePowerCard(card=PowerCard(number=4, name="March")),
            "Took Power card 4 March",
            "Взята карта Силы 4 March",
        ),
        (
            h.DrawCorruption(activation=3),
            "Drew corruption card 3, face down",
            "Взята карта Порчи 3, лицом вниз",
        ),
        (h.TakeTrophy(card=Trophy(points=4)), "Took a trophy worth 4", "Взят трофей: 4"),
        (h.SetOutOfGame(characters=("A", "B")), "Out of this game: A, B", "Выбыли из этой игры: A, B"),
        (e.SetName(name="Second voyage"), "The list is now called “Second voyage”", "Ростер назван «Second voyage»"),
        (e.SetNotes(notes="beware"), "Notes on the list changed", "Заметки к ростеру изменены"),
    ],
)
def test_an_edit_says_what_it_did(edit: e.Edit, en: str, ru: str, captain: HeroInHand) -> None:
    summary = captain.edit(edit).summary
    assert summary is not None
    assert (summary.en, summary.ru) == (en, ru)
    captain.edit(h.SetTier(tier="outer"))


def test_an_asset_comes_with_its_charges(captain: HeroInHand) -> None:
    captain.edit(h.TakeAsset(card=Asset(name="Rifle", charge_value=2)))
    assert captain.hero.assets == (Asset(name="Rifle", charge_value=2, charges=2),)
    captain.edit(h.SetCharges(index=0, charges=1))
    assert captain.hero.assets[0].charges == 1


def test_a_corruption_card_lies_as_the_rules_say(captain: HeroInHand) -> None:
    """The worked example: two cards of 2, the first face down, the second face up (L636)."""
    captain.edit(h.DrawCorruption(activation=2), h.DrawCorruption(activation=2))
    assert [card.face for card in captain.hero.corruption] == ["down", "up"]
    assert captain.rules() == []
    captain.edit(h.TurnCorruption(index=0, face="up"))
    assert captain.rules() == ["RL-11"]
    captain.edit(h.TurnCorruption(index=0, face="up", by_effect=True))
    assert captain.rules() == []


def test_faces_are_not_checked_once_a_card_before_others_is_discarded(captain: HeroInHand) -> None:
    captain.edit(*[h.DrawCorruption(activation=2) for _ in range(3)])
    captain.edit(h.GiveBack(pile="corruption", index=2))
    assert not captain.hero.corruption_discarded  # the last card: the others stay where they were
    captain.edit(h.GiveBack(pile="corruption", index=0))
    assert captain.hero.corruption_discarded
    assert captain.hero.corruption == (CorruptionCard(activation=2, face="up"),)
    assert captain.rules() == []


def test_a_card_that_goes_is_used_nowhere(captain: HeroInHand) -> None:
    captain.edit(
        h.TakeAsset(card=SWORD),
        h.SetKit(kit="battle", cards=("Power Sword",)),
        h.GiveBack(pile="assets", index=0),
    )
    assert (captain.hero.assets, captain.hero.battle_kit) == ((), ())


def test_the_second_of_two_equal_cards_stays_in_the_kit(captain: HeroInHand) -> None:
    captain.edit(h.TakeAsset(card=SWORD), h.TakeAsset(card=SWORD), h.SetKit(kit="battle", cards=("Power Sword",)))
    captain.edit(h.GiveBack(pile="assets", index=0))
    assert captain.hero.battle_kit == ("Power Sword",)


def test_a_vanquished_hero_recovers(captain: HeroInHand) -> None:
    captain.edit(
        h.TakePowerCard(card=PowerCard(number=1)), h.TakeTrophy(card=Trophy(points=3)), h.TakeAsset(card=SWORD)
    )
    captain.dial("life", 0)
    assert captain.rules() == ["RL-03"]
    captain.edit(h.Recover())
    hero = captain.hero
    assert (hero.life, hero.influence, hero.power_cards, hero.trophies) == (5, 0, (), ())
    assert (hero.level, hero.assets, hero.attributes) == (6, (SWORD,), Attributes(strength=6, willpower=3, cunning=2))
    assert captain.row.verdict == "legal"


def test_another_character_may_begin_anew_or_go_on(captain: HeroInHand) -> None:
    release_id = captain.row.release_id
    card = cards_of(release_id).character(ASSASSIN)
    assert card is not None
    captain.edit(h.SetCharacter(character=card.as_character()))
    assert (captain.hero.level, captain.row.faction_names) == (6, ASSASSIN)
    captain.edit(h.SetCharacter(character=card.as_character(), set_up=True))
    assert (captain.hero.level, captain.hero.checkpoint, captain.hero.life) == (0, "start", 4)


def test_trophies_buy_levels(captain: HeroInHand) -> None:
    captain.edit(*[h.TakeTrophy(card=Trophy(points=points)) for points in (4, 5, 3, 1)])
    summary = captain.edit(h.SpendTrophies(places=(0, 1, 2))).summary
    assert summary is not None
    assert (summary.en, summary.ru) == (
        "Trophies worth 12 spent: level 6 → 8",
        "Потрачены трофеи на 12: уровень 6 → 8",
    )
    assert (captain.hero.level, captain.hero.trophies) == (8, (Trophy(points=1),))


def test_beyond_the_last_level_there_are_missions(captain: HeroInHand) -> None:
    captain.edit(h.SetDial(dial="level", value=11), h.TakeTrophy(card=Trophy(points=18)))
    captain.edit(h.SpendTrophies(places=(0,)))
    assert (captain.hero.level, captain.hero.missions) == (12, Missions(active=1, completed=2))


def test_three_missions_for_a_relic(captain: HeroInHand) -> None:
    relic_card = Asset(name="Skull", kind="relic")
    with pytest.raises(EditRefused):
        captain.edit(h.TradeMissions(card=relic_card))
    captain.dial("completed_missions", 4)
    with pytest.raises(EditRefused):
        captain.edit(h.TradeMissions(card=SWORD))
    captain.edit(h.TradeMissions(card=relic_card))
    assert (captain.hero.assets, captain.hero.missions) == ((relic_card,), Missions(active=1, completed=1))


def test_a_corrupted_hero_is_followed_by_another(captain: HeroInHand) -> None:
    """Assets, relics and missions are inherited; everything else begins anew, without Influence (L544-L572)."""
    captain.edit(
        *[h.DrawCorruption(activation=1) for _ in range(6)],
        h.TakeAsset(card=SWORD),
        h.TakeTrophy(card=Trophy(points=2)),
        h.SetDial(dial="completed_missions", value=2),
    )
    assert captain.rules() == ["RL-10"]
    cards = cards_of(captain.row.release_id)
    assassin, own = cards.character(ASSASSIN), cards.character(CAPTAIN)
    assert assassin is not None
    assert own is not None
    with pytest.raises(EditRefused):
        captain.edit(h.Fall(character=own.as_character()))
    captain.edit(h.Fall(character=assassin.as_character()))
    hero = captain.hero
    assert (hero.level, hero.life, hero.influence, hero.corruption, hero.trophies) == (0, 4, 0, (), ())
    assert hero.attributes == Attributes(strength=3, willpower=2, cunning=4)
    assert (hero.assets, hero.missions) == ((SWORD,), Missions(active=1, completed=2))
    assert hero.corrupted_characters == (CAPTAIN,)
    assert captain.row.verdict == "legal"
    with pytest.raises(EditRefused):
        captain.edit(h.Fall(character=own.as_character()))


@pytest.mark.parametrize(
    ("edit", "at"),
    [
        (h.SpendTrophies(places=(0,)), "/index"),
        (h.GiveBack(pile="assets", index=0), "/index"),
        (h.GiveBack(pile="actions", index=0), "/index"),
        (h.SetCharges(index=3, charges=1), "/index"),
        (h.TurnCorruption(index=0, face="up"), "/index"),
        (h.SetKit(kit="battle", cards=("Nothing",)), "/cards/0"),
        (h.SetDial(dial="active_missions", value=-1), "/value"),
        (h.SetDial(dial="players", value=0), "/value"),
        (e.SetName(name=" "), "/name"),
        (e.SetNotes(notes="x", node_id="a"), "/node_id"),
        (e.SetPointsLimit(points_limit=100), "/edit"),
        (e.AddUnit(force_id="a", entry_id="b"), "/edit"),
        (e.SetWarlord(node_id=None), "/edit"),
    ],
)
def test_an_edit_that_cannot_be(edit: e.Edit, at: str, captain: HeroInHand) -> None:
    before = captain.row.document
    with pytest.raises(EditRefused) as refused:
        captain.edit(edit)
    assert (refused.value.at, bool(refused.value.text.ru)) == (at, True)
    assert (captain.row.document, captain.row.revision) == (before, 2)


def test_a_hero_without_card_cannot_recover(new_hero: Callable[..., HeroInHand]) -> None:
    made = new_hero(character=None)
    made.dial("life", 0)
    with pytest.raises(EditRefused):
        made.edit(h.Recover())


def test_several_edits_are_all_or_none(captain: HeroInHand) -> None:
    with pytest.raises(EditRefused) as refused:
        captain.edit(h.SetDial(dial="life", value=3), h.GiveBack(pile="assets", index=4))
    assert refused.value.at == "/1/index"
    assert captain.hero.life == 5


def test_an_edit_that_changes_nothing_is_no_revision(captain: HeroInHand) -> None:
    assert captain.dial("strength", 6).summary is None
    assert captain.row.revision == 2


@pytest.mark.parametrize(
    ("raw", "at"),
    [
        ({"edit": "set_dial", "dial": "speed", "value": 1}, "/dial"),
        ({"edit": "set_dial", "dial": "life", "value": 1000}, "/value"),
        ({"edit": "take_asset", "card": {"kind": "relic"}}, "/card/name"),
        ({"edit": "take_asset", "card": {"name": "A", "class": "hat"}}, "/card/class"),
        ({"edit": "plan_action", "action": {"action": "dance"}}, "/action/action"),
        ({"edit": "draw_corruption"}, "/activation"),
    ],
)
def test_what_is_no_edit(raw: dict[str, Any], at: str) -> None:
    with pytest.raises(EditRefused) as refused:
        parse_edits(raw, AnyEdit)
    assert refused.value.at == at


@pytest.mark.parametrize(
    "edits",
    [
        [h.TakePowerCard(card=PowerCard(number=1)) for _ in range(limits.CARDS + 1)],
        [h.TakeAsset(card=Asset(name="x" * (limits.NAME_LENGTH + 1)))],
        [h.TakeTrophy(card=Trophy(points=limits.POINTS + 1))],
    ],
    ids=["too many cards", "a long name", "a large number"],
)
def test_a_hero_has_limits(edits: list[e.Edit], captain: HeroInHand) -> None:
    with pytest.raises(TooLarge):
        captain.edit(*edits)
    assert captain.row.revision == 2


def test_undo_and_redo(captain: HeroInHand, hero_viewer: Viewer) -> None:
    captain.edit(h.TakeAsset(card=SWORD))
    services.undo(hero_viewer, captain.list_id, expected_revision=3)
    assert captain.hero.assets == ()
    services.redo(hero_viewer, captain.list_id, expected_revision=4)
    assert captain.hero.assets == (SWORD,)
    with pytest.raises(NothingToRedo):
        services.redo(hero_viewer, captain.list_id, expected_revision=5)
    for _ in range(2):
        services.undo(hero_viewer, captain.list_id, expected_revision=captain.row.revision)
    with pytest.raises(NothingToUndo):
        services.undo(hero_viewer, captain.list_id, expected_revision=captain.row.revision)
    assert (captain.hero.level, captain.row.verdict) == (0, "illegal")


def test_a_stale_edit_is_refused(captain: HeroInHand, hero_viewer: Viewer) -> None:
    with pytest.raises(RevisionConflict) as conflict:
        services.apply_edit(hero_viewer, captain.list_id, h.SetDial(dial="life", value=1), expected_revision=1)
    assert (conflict.value.current_revision, captain.hero.life) == (2, 5)


def test_the_history_tells_of_cards_and_dials(captain: HeroInHand, hero_viewer: Viewer) -> None:
    captain.edit(h.TakeAsset(card=SWORD), h.SetDial(dial="life", value=3))
    captain.edit(
        h.GiveBack(pile="assets", index=0),
        h.TakePowerCard(card=PowerCard(number=5, name="Aim")),
        h.DrawCorruption(activation=2),
        h.SetTier(tier="middle"),
    )
    assert history(captain.row)[0].summary.en.startswith("Gave back Power Sword; Took Power card")
    first, second = (difference(hero_viewer, captain.row, *pair) for pair in ((2, 3), (3, 4)))
    assert (first.added, first.removed) == (("Power Sword",), ())
    assert [text.en for text in first.facts] == ["Life: 5 → 3"]
    assert (second.added, second.removed) == ((), ("Power Sword",))
    assert [text.ru for text in second.facts] == [
        "Внешний круг → Средний круг",
        "Карта Силы: – → 5 Aim",
        "Карта Порчи: – → 2↓",
    ]
    assert difference(hero_viewer, captain.row, 4, 4).is_empty


def test_copies_links_and_the_bin(captain: HeroInHand, hero_viewer: Viewer, friend: User) -> None:
    copy = services.duplicate_list(hero_viewer, captain.list_id, name="Twin")
    assert (copy.document_kind, copy.name, json.loads(copy.document)["name"]) == ("army", "Twin", "Twin")
    link = services.publish_share_link(hero_viewer, captain.list_id)
    theirs = services.copy_shared(Viewer(user=friend), link.token)
    assert (theirs.owner, theirs.verdict, theirs.document_kind) == (friend, "legal", "army")
    with pytest.raises(NotFound):
        services.apply_edit(
            Viewer(user=friend),
            captain.list_id,
            h.SetDial(dial="life", value=1),
            expected_revision=2,
        )
    services.delete_army_list(hero_viewer, captain.list_id)
    with pytest.raises(NotFound):
        queries.shared_army_list(link.token)
    assert services.restore_army_list(hero_viewer, captain.list_id).name == "First voyage"


def test_a_hero_is_saved_as_the_document_that_the_check_reads(captain: HeroInHand) -> None:
    file = ARMY_DOCUMENT.file_of(captain.row)
    assert (file.name, file.media_type) == ("First voyage.json", "application/json")
    assert parse_army(json.loads(file.content)) == captain.document
    with pytest.raises(EditRefused):
        FORMATS["ros"].file_of(captain.row)


def test_new_cards_are_a_release_that_changes_no_hero(captain: HeroInHand, relic: PublishedSystem) -> None:
    before = captain.row
    (cards, names) = bundle_of_paths([FOLDER])
    more = IncomingFile(cards.name, cards.content + b'\n[[power_cards]]\nname = "New"\nnumber = 2\n')
    publication = publishing.publish(relic, (more, names), origin="a test")
    assert (publication.changed, publication.release.number) == (True, 2)
    assert len(cards_of(publication.release.pk).power_cards) == len(cards_of(before.release_id).power_cards) + 1
    assert (newer_release(captain.row), is_offered(captain.row)) == (None, False)
    assert captain.row.document == before.document
    assert publishing.make_current(before.release).changed
    relic.refresh_from_db()
    assert relic.current_release == before.release


def test_cards_belong_to_the_game_of_heroes(relic: PublishedSystem, heresy: PublishedSystem) -> None:
    own = IncomingFile("cards.toml", b'[[power_cards]]\nname = "Mine"\nnumber = 3\n')
    bundle = bundle_of_uploads([(own.name, own.content)])
    (waiting,) = import_games(bundle, origin="a form", by=None, publish=False)
    assert (waiting.system_id, waiting.number) == ("relic", 2)
    for act in (publishing.publish, publishing.submit):
        with pytest.raises(NothingToPublish, match="not played with cards"):
            act(heresy, bundle, origin="a test")
    relic.refresh_from_db()
    assert relic.current_release_id != waiting.pk
    import_games(bundle, origin="a form", by=None, publish=True)
    relic.refresh_from_db()
    assert relic.current_release_id == waiting.pk


def test_cards_are_imported_by_command(relic: PublishedSystem, tmp_path: Path) -> None:
    (tmp_path / "cards.toml").write_text('[[power_cards]]\nname = "Mine"\nnumber = 3\n')
    out = StringIO()
    call_command("import_gamedata", str(tmp_path), "--dry-run", stdout=out)
    assert "1 Power cards" in out.getvalue()
    assert relic.releases.count() == 1
    call_command("import_gamedata", str(tmp_path), stdout=out)
    relic.refresh_from_db()
    assert relic.current_release is not None
    assert cards_of(relic.current_release.pk).power_cards[0].name == "Mine"
    with pytest.raises(CommandError, match="nowhere"):
        call_command("import_gamedata", str(tmp_path), "--system", "nowhere", stdout=out)


def test_broken_cards_change_nothing(relic: PublishedSystem) -> None:
    current = relic.current_release
    for content in (b"[[characters]", b"[[assets]]\ncost = 3\n", b'[[power_cards]]\nname = "A"\n'):
        with pytest.raises(BadDocument, match=r"cards\.toml"):
            publishing.publish(relic, (IncomingFile("cards.toml", content),), origin="a test")
    relic.refresh_from_db()
    assert (relic.current_release, relic.releases.count()) == (current, 1)


def test_every_character_and_card_can_be_taken(new_hero: Callable[..., HeroInHand]) -> None:
    made = new_hero()
    cards = cards_of(made.row.release_id)
    assert {card.name for card in cards.characters} >= {CAPTAIN, ASSASSIN}
    for character in cards.characters:
        made.edit(h.SetCharacter(character=character.as_character(), set_up=True))
        assert made.row.faction_names == character.name
        limit = character.power_limit_at(0)
        assert limit is not None
        made.edit(*[h.TakePowerCard(card=card) for card in cards.power_cards[:limit]])
        assert made.row.verdict == "legal"
    made.edit(*[h.TakeAsset(card=card.as_asset()) for card in cards.assets])
    assert set(made.rules()) <= {"RL-06", "RL-13"}  # too many of them for the start of a game, but each a card
