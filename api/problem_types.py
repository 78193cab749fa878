"""The kinds of problems the JSON door answers with: what the `type` of a problem document leads to."""

import msgspec
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.problems import documented_types
from api.schema import PUBLIC, array, ref
from armybuilder.accounts.errors import NotFound
from armybuilder.engine.findings import Text


class ProblemTypeOut(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of problem.

    Attributes:
        code: as in problem documents.
        description: when it occurs.
    """

    type: str
    code: str
    status: int
    title: Text
    description: Text


def _rows() -> dict[str, ProblemTypeOut]:
    return {
        code: ProblemTypeOut(
            type=f"/api/v1/problems/{code}/", code=code, status=row.status, title=words.title, description=words.when
        )
        for code, row, words in documented_types()
    }


class ProblemTypes(APIView):
    """All kinds of problems."""

    @extend_schema(
        operation_id="list_problem_types", tags=["problems"], responses={200: array(ref(ProblemTypeOut))}, auth=PUBLIC
    )
    def get(self, request: Request) -> Response:
        """The whole table."""
        return Response(list(_rows().values()))


class OneProblemType(APIView):
    """One kind of problem."""

    @extend_schema(
        operation_id="read_problem_type", tags=["problems"], responses={200: ref(ProblemTypeOut)}, auth=PUBLIC
    )
    def get(self, request: Request, code: str) -> Response:
        """A kind of problem by its code."""
        row = _rows().get(code)
        if row is None:
            raise NotFound(f"There is no kind of problem called {code!r}.")
        return Response(row)
