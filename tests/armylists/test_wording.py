"""Sentences about lists."""

from armybuilder.armylists.wording import as_proposal, told_once
from armybuilder.engine.findings import Text


def test_what_is_done_several_times_is_told_once_with_its_number() -> None:
    militia, praetor = (
        Text(en="Added Militia", ru="Добавлено: Ополчение"),
        Text(en="Added Praetor", ru="Добавлен Претор"),
    )
    told = told_once([militia, praetor, militia, militia])
    assert [text.en for text in told] == ["Added 3 × Militia", "Added Praetor"]
    assert told[0].ru == "Добавлено: 3 × Ополчение"


def test_a_number_stands_before_a_deed_that_has_no_place_for_it() -> None:
    taken = Text(en="Veterans: took Bolt Pistol", ru="Ветераны: взято – болт-пистолет")
    assert [text.en for text in told_once([taken, taken])] == ["2 × Veterans: took Bolt Pistol"]


def test_a_deed_reads_as_a_proposal() -> None:
    done = Text(
        en="Removed Reaver Titan; Added 3 × Scouts to Army; Sergeant: took Sword",
        ru="Удалено: Титан; Добавлено: 3 × Скауты – «Армия»; Сержант: взято – меч",
    )
    proposal = as_proposal(done)
    assert proposal.en == "Remove Reaver Titan; Add 3 × Scouts to Army; Sergeant: take Sword"
    assert proposal.ru == "Удалить: Титан; Добавить: 3 × Скауты – «Армия»; Сержант: взять – меч"
