"""A hero as the army document itself, which `manage.py check` and the API's check read."""

import msgspec

from armybuilder.armylists.errors import EditRefused
from armybuilder.armylists.exports.battlescribe_roster import RosterFile, file_name
from armybuilder.armylists.models import ArmyList, DocumentKind
from armybuilder.engine.findings import Text


def army_document_file(army_list: ArmyList) -> RosterFile:
    """The stored document, written so that people can read it.

    Raises:
        EditRefused: the list is a roster, whose file is a .ros or .rosz.
    """
    if army_list.document_kind != DocumentKind.ARMY:
        raise EditRefused(
            Text(
                en="This list is a roster. Save it for BattleScribe instead.",
                ru="Этот список — ростер. Сохраните его для BattleScribe.",
            )
        )
    content = msgspec.json.format(army_list.document.encode(), indent=2)
    return RosterFile(name=file_name(army_list.name, "json"), media_type="application/json", content=content + b"\n")
