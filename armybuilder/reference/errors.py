"""What edits of the reference refuse; nothing is stored of a refused edit."""

from collections.abc import Sequence

from armybuilder.engine.errors import GameError
from armybuilder.engine.findings import Text


class BadAllianceTable(GameError):
    """An alliance table that cannot be read.

    Attributes:
        problems: everything that is wrong with it, each naming row and column.
    """

    code = "bad-alliance-table"

    def __init__(self, problems: Sequence[Text]) -> None:
        super().__init__(" ".join(problem.en for problem in problems))
        self.problems = tuple(problems)


class MatrixChanged(GameError):
    """The alliance matrix was changed by somebody else since it was read; nothing was written."""

    code = "revision-conflict"
    text = Text(
        en="Somebody else has changed the matrix meanwhile. Nothing was saved; look at it again, then save once more.",
        ru="Кто-то уже изменил таблицу. Ничего не сохранено; просмотрите её ещё раз и сохраните снова.",
    )

    def __init__(self) -> None:
        super().__init__(self.text.en)


class TooManyReports(GameError):
    """More mistakes of a data set are reported than somebody has looked at."""

    code = "limit-exceeded"
    text = Text(
        en="Many mistakes of this data are reported already and wait for the administrator. Try again later.",
        ru="Об ошибках в этих данных уже сообщено много раз, очередь за администратором. Попробуйте позже.",
    )

    def __init__(self) -> None:
        super().__init__(self.text.en)
