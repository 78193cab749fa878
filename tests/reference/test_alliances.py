"""The alliance matrix: unknown until somebody fills it, directional, with history, in and out as CSV."""

import pytest
from django.db import IntegrityError, transaction

from armybuilder.accounts.errors import NotFound
from armybuilder.accounts.models import User
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference import alliance_table, queries, services
from armybuilder.reference.errors import BadAllianceTable, MatrixChanged
from armybuilder.reference.models import Alliance, AllianceEdit, Faction

Factions = dict[str, Faction]


def levels(game: PublishedSystem) -> dict[str, str]:
    """Known cells as "red→blue": level."""
    return {f"{c.from_faction.key}→{c.to_faction.key}": c.level.key for c in queries.alliances(game.pk) if c.level}


@pytest.mark.both_databases
def test_every_cell_is_unknown_until_it_is_recorded(game: PublishedSystem, factions: Factions, owner: User) -> None:
    assert queries.alliance_matrix(game.pk).unknown == 9
    cell = {(factions["red"], factions["blue"]): "by_command"}
    assert services.record_alliances(game.pk, cell, source="p. 12", by=owner) == 1
    matrix = queries.alliance_matrix(game.pk)
    assert matrix.unknown == 8
    assert levels(game) == {"red→blue": "by_command"}
    assert queries.recorded_levels(game.pk) == {("Red Host", "Blue Host"): "by_command"}
    assert [str(cell) for cell in queries.alliances(game.pk) if cell.level] == ["Red Host → Blue Host: By Command"]


@pytest.mark.both_databases
def test_each_change_leaves_a_line_of_history_and_no_change_none(
    game: PublishedSystem, factions: Factions, owner: User, friend: User
) -> None:
    pair = (factions["red"], factions["blue"])
    for level, source, by, changed in (
        ("by_command", "first printing", owner, 1),
        ("by_command", "again", friend, 0),
        ("sworn_brothers", "errata", friend, 1),
        (None, "it was a misprint", owner, 1),
        (None, "again", owner, 0),
    ):
        assert services.record_alliances(game.pk, {pair: level}, source=source, by=by) == changed
    history = AllianceEdit.objects.order_by("edited_at").values_list(
        "level_before", "level_after", "source", "edited_by"
    )
    assert list(history) == [
        ("", "by_command", "first printing", "owner"),
        ("by_command", "sworn_brothers", "errata", "friend"),
        ("sworn_brothers", "", "it was a misprint", "owner"),
    ]
    assert levels(game) == {}


@pytest.mark.parametrize(
    ("case", "recorded", "typed", "expected"),
    [
        (
            "the other way was unknown",
            {},
            {"red→blue": "by_command"},
            {"red→blue": "by_command", "blue→red": "by_command"},
        ),
        (
            "the other way is known and stays",
            {"blue→red": "sworn_brothers"},
            {"red→blue": "by_command"},
            {"red→blue": "by_command", "blue→red": "sworn_brothers"},
        ),
        (
            "both are typed",
            {},
            {"red→blue": "by_command", "blue→red": "sworn_brothers"},
            {"red→blue": "by_command", "blue→red": "sworn_brothers"},
        ),
        (
            "a whole grid is posted",
            {},
            {"red→blue": "by_command", "blue→red": None, "red→red": None},
            {"red→blue": "by_command", "blue→red": "by_command"},
        ),
        ("the diagonal", {}, {"red→red": "by_command"}, {"red→red": "by_command"}),
    ],
)
def test_the_opposite_direction_is_filled_only_where_it_is_unknown(
    game: PublishedSystem, factions: Factions, case: str, recorded: dict, typed: dict, expected: dict
) -> None:
    def cells(named: dict) -> dict:
        return {(factions[pair.split("→")[0]], factions[pair.split("→")[1]]): level for pair, level in named.items()}

    services.record_alliances(game.pk, cells(recorded), source="", by=None)
    services.record_alliances(game.pk, cells(typed), source="", by=None, both_ways=True)
    assert levels(game) == expected, case


def test_a_matrix_that_changed_meanwhile_is_not_overwritten(game: PublishedSystem, factions: Factions) -> None:
    seen = queries.alliance_matrix(game.pk).fingerprint
    services.record_alliances(game.pk, {(factions["red"], factions["blue"]): "by_command"}, source="", by=None)
    with pytest.raises(MatrixChanged):
        services.record_alliances(
            game.pk,
            {(factions["red"], factions["blue"]): "sworn_brothers"},
            source="",
            by=None,
            expected_fingerprint=seen,
        )
    assert levels(game) == {"red→blue": "by_command"}


def test_an_unknown_level_stores_nothing(game: PublishedSystem, factions: Factions) -> None:
    cells = {(factions["red"], factions["blue"]): "by_command", (factions["red"], factions["old"]): "best_friends"}
    with pytest.raises(KeyError):
        services.record_alliances(game.pk, cells, source="", by=None)
    assert not Alliance.objects.exists()


@pytest.mark.both_databases
def test_the_database_holds_a_cell_once(game: PublishedSystem, factions: Factions) -> None:
    cell = {"system": game, "from_faction": factions["red"], "to_faction": factions["blue"]}
    Alliance.objects.create(**cell)
    with pytest.raises(IntegrityError), transaction.atomic():
        Alliance.objects.create(**cell)


def test_an_unknown_system_has_no_matrix(db: None) -> None:
    with pytest.raises(NotFound):
        queries.alliance_matrix("nowhere")


def test_the_matrix_costs_four_queries_whatever_its_size(
    game: PublishedSystem, factions: Factions, owner: User, django_assert_num_queries
) -> None:
    everything = {
        (first, second): "by_command"
        for first in factions.values()
        for second in factions.values()
        if first.matrix_position
    }
    services.record_alliances(game.pk, everything, source="", by=owner)
    with django_assert_num_queries(4):
        matrix = queries.alliance_matrix(game.pk)
        assert all(cell.level and cell.recorded and cell.recorded.edited_by for _, row in matrix.rows for cell in row)


def test_what_is_written_reads_back_the_same(game: PublishedSystem, factions: Factions) -> None:
    services.record_alliances(game.pk, {(factions["old"], factions["blue"]): "by_command"}, source="", by=None)
    matrix = queries.alliance_matrix(game.pk)
    text = alliance_table.written(matrix)
    assert text.splitlines()[0] == ",Red Host,Blue Host,Old Guard"
    assert text.splitlines()[3] == "Old Guard,?,by_command,?"
    cells = alliance_table.read(matrix, text)
    assert {(p.key, a.key): level for (p, a), level in cells.items() if level} == {("old", "blue"): "by_command"}
    assert len(cells) == 9
    assert services.record_alliances(game.pk, cells, source="", by=None) == 0


@pytest.mark.parametrize(
    ("case", "table"),
    [
        ("names in English", ",Blue Host\nRed Host,By Command\n"),
        ("names in Russian, semicolons", ";Синее войско\r\nКрасное войско;По приказу\r\n"),
        ("keys and tabs", "\tblue\nred\tby_command\n"),
        ("other case, a mark of UTF-8, empty lines", "\ufeff,BLUE HOST\n\n red host , by command \n,,\n"),
    ],
)
def test_tables_of_many_hands_are_understood(game: PublishedSystem, factions: Factions, case: str, table: str) -> None:
    cells = alliance_table.read(queries.alliance_matrix(game.pk), table)
    assert cells == {(factions["red"], factions["blue"]): "by_command"}, case


@pytest.mark.parametrize(
    ("case", "table", "english", "russian"),
    [
        (
            "an unknown level",
            ",Red Host,Blue Host\nRed Host,?,best friends\n",
            'Row 2 (Red Host), column 3 (Blue Host): "best friends" is no level; '
            "expected sworn_brothers, by_command or ?.",
            "Строка 2 (Красное войско), столбец 3 (Синее войско): «best friends» – не уровень; "
            "ожидалось sworn_brothers, by_command или ?.",
        ),
        (
            "an unknown column",
            ",Green Host\nRed Host,?\n",
            'Row 1, column 2: there is no faction "Green Host".',
            "Строка 1, столбец 2: нет фракции «Green Host».",
        ),
        (
            "an unknown row",
            ",Red Host\nGreen Host,?\n",
            'Row 2, column 1: there is no faction "Green Host".',
            "Строка 2, столбец 1: нет фракции «Green Host».",
        ),
        (
            "a column twice",
            ",Red Host,red\nRed Host,?,?\n",
            'Row 1, column 3: "red" stands there twice.',
            "Строка 1, столбец 3: «red» указана дважды.",
        ),
        (
            "a row twice",
            ",Red Host\nRed Host,?\nred,?\n",
            'Row 3, column 1: "red" stands there twice.',
            "Строка 3, столбец 1: «red» указана дважды.",
        ),
        (
            "a cell too many, as in the book's own table",
            ",Red Host\nRed Host,?,?\n",
            "Row 2: 1 cells were expected after the name, 2 are there.",
            "Строка 2: после названия ожидалось ячеек: 1, есть: 2.",
        ),
        ("nothing", " \n", "The table is empty.", "Таблица пуста."),
    ],
)
def test_a_bad_table_is_refused_with_row_and_column(
    game: PublishedSystem, case: str, table: str, english: str, russian: str
) -> None:
    with pytest.raises(BadAllianceTable) as refused:
        alliance_table.read(queries.alliance_matrix(game.pk), table)
    assert [(problem.en, problem.ru) for problem in refused.value.problems] == [(english, russian)], case


def test_all_mistakes_are_told_at_once(game: PublishedSystem) -> None:
    table = ",Red Host,Green Host\nRed Host,x,?\nBlue Host,y,?\nBlack Host,?,?\n"
    with pytest.raises(BadAllianceTable) as refused:
        alliance_table.read(queries.alliance_matrix(game.pk), table)
    assert len(refused.value.problems) == 4
