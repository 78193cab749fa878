"""A hero as the army document itself, which `manage.py check` and the API's check read."""

import msgspec

from armybuilder.armylists.errors import EditRefused
from armybuilder.armylists.exports.files import ExportFormat
from armybuilder.armylists.models import ArmyList, DocumentKind
from armybuilder.engine.findings import Text


def army_document(army_list: ArmyList) -> bytes:
    """The stored document, written so that people can read it.

    Raises:
        EditRefused: the list is a roster, whose file is a .ros or .rosz.
    """
    if army_list.document_kind != DocumentKind.ARMY:
        raise EditRefused(
            Text(
                en="This list is a roster. Save it for BattleScribe instead.",
                ru="Этот список – ростер. Сохраните его для BattleScribe.",
            )
        )
    return msgspec.json.format(army_list.document.encode(), indent=2) + b"\n"


ARMY_DOCUMENT = ExportFormat(
    id="army-document",
    ending="json",
    media_type="application/json",
    label=Text("Army document (JSON)", "Документ армии (JSON)"),
    write=army_document,
    kinds=frozenset({DocumentKind.ARMY}),
)
