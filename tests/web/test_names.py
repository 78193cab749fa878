"""Names of the data inside Russian sentences."""

import pytest

from armybuilder.web.names import inner_quotes


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
