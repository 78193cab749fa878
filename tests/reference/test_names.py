"""Names of the data inside Russian sentences."""

import pytest
from django.utils.translation import override

from armybuilder.datafiles.models import DataRelease, PublishedSystem
from armybuilder.reference import names
from armybuilder.reference.models import Faction
from armybuilder.reference.names import Names, after_colon, inner_quotes, names_of


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("««Хищники»» разбивается при 4", "«Хищники» разбивается при 4"),
        ("«Звено «Громовых ястребов»» готово", "«Звено „Громовых ястребов“» готово"),
        ("«Хищники» и «Вихри»", "«Хищники» и «Вихри»"),
        ("без кавычек", "без кавычек"),
        ("лишняя» и «нужные»", "лишняя» и «нужные»"),
    ],
)
def test_quotation_marks_inside_others(text: str, written: str) -> None:
    assert inner_quotes(text) == written


@pytest.mark.parametrize(
    ("language", "text", "after"),
    [
        ("ru", "Армии нужен генерал.", "армии нужен генерал."),
        ("ru", "Капитан «Медузы» стоит здесь.", "Капитан «Медузы» стоит здесь."),
        ("ru", "«Гончая» не названа.", "«Гончая» не названа."),
        ("ru", "QR и прочее.", "QR и прочее."),
        ("en", "The army needs a General.", "The army needs a General."),
    ],
)
def test_a_sentence_after_a_colon_begins_with_a_small_letter(language: str, text: str, after: str) -> None:
    with override(language):
        assert after_colon(text, ["Капитан «Медузы»"]) == after


def test_a_unit_and_those_who_joined_it_are_all_named() -> None:
    names = Names({"Halberdiers": "Алебардщики", "Captain": "Капитан"})
    with override("ru"):
        assert names("Halberdiers + Captain") == "Алебардщики + Капитан"


def test_what_stands_before_a_colon_is_a_name_too() -> None:
    """The page in Russian called a critical hit in English."""
    names = Names({"Critical hit": "Критическое попадание"})
    with override("ru"):
        assert names("Critical hit: Staggering Blow") == "Критическое попадание: Staggering Blow"


@pytest.mark.django_db
def test_spells_of_the_rulebook_have_russian_names() -> None:
    names = names_of("fantasy-8th")
    with override("ru"):
        assert names("The Burning Head") == "Пылающая голова"
    with override("en"):
        assert names("The Burning Head") == "The Burning Head"


def test_names_of_army_lists_that_come_with_a_publication_are_known_within_a_minute(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr(names, "monotonic", lambda: now)
    system = PublishedSystem.objects.create(id="game", name="Game")
    release = DataRelease.objects.create(system=system, number=1, content_hash="0" * 64)
    assert names.names_for("", release.pk)("Codex: Orks") == "Codex: Orks"  # looked at before it is published
    Faction.objects.create(system=system, key="orks", name="Orks", name_ru="Орки", catalogue_name="Codex: Orks")
    now += names.FRESH_SECONDS
    assert names.names_for("", release.pk)("Codex: Orks") == "Orks"


def test_a_longer_name_without_a_translation_keeps_a_shorter_one_within_it() -> None:
    names = Names({"Praetor": "Претор", "Terminator Squad": "Терминаторы"})
    mentioned = {"Praetor", "Legion Praetor", "Terminator Squad", "Nobody"}
    with override("ru"):
        assert names.within("Legion Praetor: нужен Praetor", mentioned) == "Legion Praetor: нужен Претор"
        assert names.within("Legion Praetor: «Nobody»", mentioned) == "Legion Praetor: «Nobody»"


def test_a_limit_on_a_role_is_told_by_the_name_that_the_roll_shows() -> None:
    with override("ru"):
        names = Names()
        text = "«Core» – 110 pts, нужно не меньше 500."
        assert names.within(text, {"Core"}) == f"«{names.role('Core')}» – 110 pts, нужно не меньше 500."
        assert names.role("Core") == "Основные отряды"
        assert names.within("Nobody: «WAR MACHINE» – 2 взято", {"WAR MACHINE"}) == "Nobody: «Боевые машины» – 2 взято"
        assert names.within("Core Guard: «Nobody»", {"Core Guard", "Nobody"}) == "Core Guard: «Nobody»"


@pytest.mark.parametrize(
    ("rule_pack", "name", "called"),
    [
        ("", "1. Open War", "Открытая война"),
        ("", "Regiment", "Полк"),
        ("wh40k-6th", "Planetstrike Attacker", "Планетарный удар: нападающий"),
        ("horus-heresy", "Titan Maniple", "Манипула титанов"),
    ],
)
def test_detachments_that_many_games_have_are_called_in_russian(rule_pack: str, name: str, called: str) -> None:
    with override("ru"):
        assert names.names_for(rule_pack, None)(name) == called


def test_an_army_list_is_called_as_its_faction_is_and_not_as_within_a_rule() -> None:
    names = Names({"Dwarfs": "гномы", "Hatred": "ненависть"}, {"Dwarfs": ("Dwarfs", "Гномы")})
    with override("ru"):
        assert names("Dwarfs") == "Гномы"
        assert names("Hatred (Dwarfs)") == "ненависть (гномы)"


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("Heavy armour", "Тяжёлая броня"),
        ("light armour, great weapon", "Лёгкая броня, Большое оружие"),
        ("s", "s"),
    ],
)
def test_names_are_known_whatever_capitals_the_data_writes(name: str, called: str) -> None:
    with override("ru"):
        assert names.names_for("fantasy-8th", None)(name) == called


def test_a_book_keeps_its_version_behind_a_russian_name() -> None:
    names = Names({"Empire": "Империя"})
    with override("ru"):
        assert names("Empire (2013-4) V8.7.4") == "Империя (2013-4) V8.7.4"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("10cm", "10 см"),
        ("(45cm)", "(45 см)"),
        ("Nobody (Loyalist)", "Nobody (Loyalist)"),
        ("Praetor (Loyalist)", "Претор (Лоялист)"),
        ("6+ (Loyalist)", "6+ (Лоялист)"),
    ],
)
def test_a_value_is_in_one_language(name: str, shown: str) -> None:
    with override("ru"):
        assert Names({"Loyalist": "Лоялист", "Praetor": "Претор"}).value(name) == shown


def test_the_beginning_of_a_longer_name_stays_as_it_is() -> None:
    names = Names({"Arch Lector": "Архилектор"})
    with override("ru"):
        assert names.within("Нужно: Arch Lector of Sigmar", {"Arch Lector"}) == "Нужно: Arch Lector of Sigmar"
        assert names.within("Нужно: Arch Lector", {"Arch Lector"}) == "Нужно: Архилектор"


def test_the_number_in_the_name_of_a_game_is_not_parted() -> None:
    game = PublishedSystem(id="future", name="Future 40,000, 6th edition", name_ru="Будущее 40 000, 6-я редакция")
    assert game.label == "Future 40,000, 6th edition"
    with override("ru"):
        assert game.label == "Будущее 40\u00a0000, 6-я редакция"
