"""The finished armies that ship with the site: lists with an owner of their own, shared by link for anybody to copy."""

from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings
from django.db import transaction
from django.utils.translation import get_language

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import services
from armybuilder.armylists.documents import ListDocument
from armybuilder.armylists.facts import read_facts
from armybuilder.armylists.list_types import document_of, list_type_of_document
from armybuilder.armylists.models import ArmyList, ShareLink, VerdictChoice
from armybuilder.engine.errors import BadDocument
from armybuilder.reference.queries import system as published_system

OWNER = "army-builder-samples"
"""Name of the account that owns the samples; nobody can sign in with it."""


class SampleFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sample as it stands in `fixtures/<game>/lists/`."""

    name: str
    system: str
    document: dict[str, Any]
    name_ru: str = ""
    points_limit: int | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample as a page offers it: `link.token` leads to it, `copy_shared` makes it the viewer's own."""

    army_list: ArmyList
    link: ShareLink
    label: str


def read_sample(path: Path) -> SampleFile:
    """A sample file. Raises BadDocument when it cannot be read."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=SampleFile)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as broken:
        raise BadDocument(f"{path.name}: {broken}") from broken


def load_sample(file: SampleFile) -> bool:
    """Make the sample with its share link, unless it was made before; False then.

    Raises:
        NotFound: its game is not published.
        BadDocument: its facts are not those of its game.
    """
    with transaction.atomic():
        owner, made = User.objects.select_for_update().get_or_create(username=OWNER, defaults={"is_active": False})
        if made:
            owner.set_unusable_password()
            owner.save(update_fields=["password"])
        if ArmyList.objects.filter(owner=owner, system=file.system, name=file.name).exists():
            return False
        system = published_system(file.system)
        assert system.current_release_id is not None
        document = document_of(file.document)
        if isinstance(document, ListDocument):
            read_facts(system.rule_pack, document.facts, at="/document/facts")
        viewer = Viewer(user=owner)
        army_list = services.store_restored(
            viewer,
            document=list_type_of_document(document).renamed(document, file.name),
            system=system,
            release_id=system.current_release_id,
            points_limit=file.points_limit,
            folder="",
            tags=(),
        )
        services.check_army_list(army_list)
        services.publish_share_link(viewer, army_list.pk)
    return True


def samples(system_id: str | None = None) -> tuple[Sample, ...]:
    """The samples with open links, each once: game by game, legal armies first."""
    links = ShareLink.objects.filter(army_list__owner__username=OWNER, army_list__deleted__isnull=True)
    if system_id is not None:
        links = links.filter(army_list__system=system_id)
    found: dict[object, Sample] = {}
    for link in links.select_related("army_list", "army_list__system").order_by("created"):
        if link.is_open:
            found.setdefault(link.army_list_id, Sample(link.army_list, link, called(link.army_list.name)))
    return tuple(sorted(found.values(), key=_place))


def _place(sample: Sample) -> tuple[int, str, bool, Decimal]:
    row = sample.army_list
    return row.system.position, row.system_id, row.verdict != VerdictChoice.LEGAL, -(row.points or Decimal(0))


def label_of(army_list: ArmyList) -> str:
    """The name of a list; of a sample the one in the language of the page."""
    is_sample = army_list.owner is not None and army_list.owner.username == OWNER
    return called(army_list.name) if is_sample else army_list.name


def as_shown(army_list: ArmyList) -> ArmyList:
    """A list to be shown to others: a sample has its name in the language of the reader."""
    army_list.name = label_of(army_list)
    return army_list


def called(name: str) -> str:
    """The name of a sample in the language of the page; any other name stays as it is."""
    return _russian_names().get(name, name) if get_language() == "ru" else name


@cache
def _russian_names() -> dict[str, str]:
    files = [read_sample(path) for path in sample_paths()]
    return {file.name: file.name_ru for file in files if file.name_ru}


def sample_paths() -> list[Path]:
    """Where the shipped samples lie."""
    return sorted(settings.BASE_DIR.glob("fixtures/*/lists/*.json"))
