"""Heroes over the API: how one begins, and the cards that edits take as characters, assets and power cards.

Whatever else is done with a hero is done with a list (`armylists.py`, `revisions.py`, `share_links.py`).
"""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.schema import PUBLIC, ref
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists.models import ArmyList
from armybuilder.datafiles.card_sets import cards_of
from armybuilder.engine.documents import without_extensions
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.systems.relic.card_set import CardSet
from armybuilder.heroes.documents import parse_hero
from armybuilder.heroes.services import create_hero
from armybuilder.reference import queries


class Cards(APIView):
    """Cards of a system."""

    @extend_schema(operation_id="read_cards", tags=["systems"], responses={200: ref(CardSet)}, auth=PUBLIC)
    def get(self, request: Request, system: str) -> Response:
        """The cards on offer for heroes; none for a game of armies. Heroes may also hold cards written in by hand."""
        release_id = queries.system(system).current_release_id
        assert release_id is not None
        return Response(cards_of(release_id))


def new_hero(  # noqa: PLR0917 - the members of a new list, in their order
    viewer: Viewer, system: str, name: str, character: str | None, document: dict[str, Any] | None, folder: str
) -> ArmyList:
    """A hero of the viewer's, set up with a character's card or out of an army document.

    Raises:
        BadDocument: the document is no hero; `at` points into `/document`.
    """
    hero = None
    if document is not None:
        try:
            hero = parse_hero(without_extensions(document))
        except BadDocument as refusal:
            refusal.at = f"/document{refusal.at or ''}"
            raise
    return create_hero(viewer, system_id=system, name=name, character=character, document=hero, folder=folder)
