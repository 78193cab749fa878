"""Words of a game stand over those that games share."""

from pathlib import Path

import msgspec
import pytest

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.game import words_of
from armybuilder.engine.systems.words import read_words

DISTANCE = """
[conditions.distance]
label = { en = "Leagues", ru = "Лиги" }
described = { en = "{value} leagues", ru = "лиг: {value}" }
"""


def test_a_game_s_own_words_come_before_the_shared_ones(tmp_path: Path) -> None:
    path = tmp_path / "words.toml"
    path.write_text(DISTANCE, encoding="utf-8")
    words = read_words(path, values={"magma": Text("magma", "магма")})
    assert words.conditions["distance"].label == Text("Leagues", "Лиги")
    assert words.attacks["shooting"].name.ru == "Стрельба"
    assert words.value("magma").ru == "магма" and words.value("4+").ru == "4+" and words.value(2.5).ru == "2,5"
    assert words.shortened is None and words.battle == words_of("epic").battle


def test_one_name_means_what_its_game_means_by_it() -> None:
    assert words_of("epic").conditions["distance"].label.en == "Distance, centimetres"
    assert words_of("horus-heresy").conditions["distance"].label.en == "Distance, inches"
    assert words_of("fantasy-8th").value("Wyssan's Wildform").ru != "Wyssan's Wildform"


def test_a_battle_without_assaults_says_so() -> None:
    assert words_of("wh40k-6th").shortened == words_of("wh40k-6th").battle
    assert "no assaults" in words_of("wh40k-6th").battle.en


@pytest.mark.parametrize(
    ("row", "refused"), [('described = { en = "a" }', True), ('described = { en = "a", ru = "б" }', False)]
)
def test_words_have_both_languages(tmp_path: Path, row: str, refused: bool) -> None:
    path = tmp_path / "words.toml"
    path.write_text(f'[conditions.wind]\nlabel = {{ en = "Wind", ru = "Ветер" }}\n{row}\n', encoding="utf-8")
    if refused:
        with pytest.raises(msgspec.ValidationError, match="ru"):
            read_words(path)
    else:
        assert read_words(path).conditions["wind"].described.ru == "б"
