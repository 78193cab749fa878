"""Reading stored lists over the API: one's own, by share link, from the bin; entity tags, pages, database queries."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import new_guest_key, signed_guest_key
from armybuilder.armylists.models import ArmyList, Revision, ShareLink
from armybuilder.armylists.samples import OWNER, read_sample, sample_paths
from armybuilder.armylists.share_links import new_token
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference.models import Faction
from tests.api.conftest import Caller

pytestmark = pytest.mark.both_databases

LISTS = "/api/v1/lists/"
Maker = Callable[..., ArmyList]


def address(army_list: ArmyList, part: str = "") -> str:
    return f"{LISTS}{army_list.pk}/{part}"


def link_to(army_list: ArmyList, **facts: Any) -> ShareLink:
    return ShareLink.objects.create(token=new_token(), army_list=army_list, **facts)


def test_a_list_with_its_document(as_owner: Caller, owner: User, stored: Maker) -> None:
    mine = stored(
        owner, points=Decimal("1999.50"), verdict="illegal", finding_counts="2/1/0", tags=["club"], revision=4
    )
    response = as_owner("GET", address(mine))
    body = response.json()
    assert (response.status_code, response.headers["ETag"]) == (200, response.headers["ETag"])
    assert response.headers["ETag"].startswith('"4-')
    assert (body["id"], body["address"]) == (str(mine.pk), address(mine))
    assert (body["points"], body["points_limit"], body["verdict"]) == (1999.5, 2500, "illegal")
    assert body["finding_counts"] == {"errors": 2, "warnings": 1, "infos": 0}
    assert body["document"] == {"roster": {"id": "r"}, "facts": {}}
    assert (body["tags"], body["revision"], body["document_kind"]) == (["club"], 4, "roster")


def test_whole_points_are_whole_numbers(as_owner: Caller, owner: User, stored: Maker) -> None:
    assert '"points":2000,' in as_owner("GET", address(stored(owner, points=Decimal("2000.00")))).content.decode()


def test_factions_are_told_as_readers_know_them(as_owner: Caller, owner: User, stored: Maker) -> None:
    mine = stored(owner, faction_names="2022 - LI - Custodes, Sons of Horus")
    faction = Faction(system=mine.system, key="custodes", name="Legio Custodes", name_ru="Легио Кустодес")
    faction.catalogue_name = "2022 - LI - Custodes"
    faction.save()
    for language, told in (("en", "Legio Custodes, Sons of Horus"), ("ru", "Легио Кустодес, Сыны Хоруса")):
        assert as_owner("GET", address(mine), Accept_Language=language).json()["factions"] == told
        rows = as_owner("GET", LISTS, Accept_Language=language).json()["results"]
        assert [row["factions"] for row in rows] == [told]


def test_a_sample_is_named_in_the_language_of_its_reader(as_nobody: Caller, stored: Maker) -> None:
    file = read_sample(sample_paths()[0])
    link = link_to(stored(User.objects.create_user(OWNER), name=file.name))
    assert file.name_ru != file.name
    for language, name in (("en", file.name), ("ru", file.name_ru)):
        assert as_nobody("GET", f"/api/v1/shared/{link.token}/", Accept_Language=language).json()["name"] == name


def test_reading_a_list_costs_two_database_queries(
    as_owner: Caller, owner: User, stored: Maker, django_assert_num_queries: Any
) -> None:
    mine = stored(owner)
    as_owner("GET", address(mine))  # the use of the token is noted every few minutes
    with django_assert_num_queries(2):
        assert as_owner("GET", address(mine)).status_code == 200


@pytest.mark.parametrize(
    ("header", "status"), [("{}", 304), ("W/{}", 304), ('"1", {}', 304), ("*", 304), ('"2"', 200), ("nonsense", 200)]
)
def test_what_is_known_is_not_sent_again(
    as_owner: Caller, owner: User, stored: Maker, header: str, status: int
) -> None:
    mine = address(stored(owner, revision=3))
    tag = as_owner("GET", mine).headers["ETag"]
    response = as_owner("GET", mine, If_None_Match=header.format(tag))
    assert (response.status_code, response.headers["ETag"]) == (status, tag)
    assert bool(response.content) == (status == 200)


def test_what_reads_otherwise_is_sent_though_nobody_edited_it(as_owner: Caller, owner: User, stored: Maker) -> None:
    """A folder is no revision, and a reader of Russian has not what he was told in English."""
    mine = stored(owner, revision=3, faction_names="Sons of Horus")
    link = link_to(mine)
    for where in (address(mine), f"/api/v1/shared/{link.token}/"):
        tag = as_owner("GET", where, Accept_Language="en").headers["ETag"]
        assert as_owner("GET", where, Accept_Language="en", If_None_Match=tag).status_code == 304
        in_russian = as_owner("GET", where, Accept_Language="ru", If_None_Match=tag)
        assert (in_russian.status_code, in_russian.json()["factions"]) == (200, "Сыны Хоруса")
    known = as_owner("GET", address(mine)).headers["ETag"]
    assert as_owner("PATCH", address(mine), {"folder": "Club"}, If_Match=known).status_code == 200
    filed = as_owner("GET", address(mine), If_None_Match=known)
    assert (filed.status_code, filed.json()["folder"], filed.json()["revision"]) == (200, "Club", 3)


def test_who_sees_a_list(
    as_owner: Caller,
    as_reader: Caller,
    as_friend: Caller,
    as_stranger: Caller,
    as_nobody: Caller,
    owner: User,
    stored: Maker,
) -> None:
    mine = stored(owner)
    link = link_to(mine)
    assert as_owner("GET", address(mine)).status_code == 200
    assert as_reader("GET", address(mine)).status_code == 200
    assert as_friend("GET", address(mine, f"?share={link.token}")).json()["name"] == "First draft"
    assert as_nobody("GET", address(mine, f"?share={link.token}")).status_code == 200
    for caller in (as_friend, as_stranger, as_nobody):
        response = caller("GET", address(mine))
        assert (response.status_code, response.json()["code"]) == (404, "not-found")
        assert caller("GET", address(mine, f"?share={new_token()}")).status_code == 404
        assert caller("GET", address(mine, "?share=%00")).status_code == 404


def test_a_share_token_opens_its_own_list_only(as_friend: Caller, owner: User, stored: Maker) -> None:
    link, other = link_to(stored(owner)), stored(owner)
    assert as_friend("GET", address(other, f"?share={link.token}")).status_code == 404


def test_who_follows_a_link_does_not_see_how_the_owner_files_the_list(
    as_owner: Caller, as_friend: Caller, owner: User, stored: Maker
) -> None:
    mine = stored(owner, folder="secret plans", tags=["secret"])
    shown = as_friend("GET", address(mine, f"?share={link_to(mine).token}"))
    assert (shown.status_code, shown.json()["folder"], shown.json()["tags"]) == (200, "", [])
    assert "secret" not in shown.content.decode()
    own = as_owner("GET", address(mine)).json()
    assert (own["folder"], own["tags"]) == ("secret plans", ["secret"])


def test_a_shared_list_by_its_token(as_nobody: Caller, owner: User, stored: Maker) -> None:
    link = link_to(stored(owner, folder="secret plans", tags=["secret"]))
    body = as_nobody("GET", f"/api/v1/shared/{link.token}/").json()
    assert (body["name"], body["document"]["facts"]) == ("First draft", {})
    assert not {"id", "folder", "tags", "owner"} & set(body)
    assert "secret" not in str(body)


@pytest.mark.parametrize("case", ["unknown", "revoked", "expired", "malformed", "deleted"])
def test_a_closed_link_leads_nowhere(as_nobody: Caller, owner: User, stored: Maker, case: str) -> None:
    now = timezone.now()
    mine = stored(owner, deleted=now if case == "deleted" else None)
    token = {
        "unknown": new_token,
        "revoked": lambda: link_to(mine, revoked_at=now).token,
        "expired": lambda: link_to(mine, created=now - timedelta(days=2), expires=now - timedelta(days=1)).token,
        "malformed": lambda: "x",
        "deleted": lambda: link_to(mine).token,
    }[case]()
    for part, method in (("", "GET"), ("check/", "POST")):
        response = as_nobody(method, f"/api/v1/shared/{token}/{part}")
        assert (response.status_code, response.json()["code"]) == (404, "not-found")


def test_a_guest_sees_the_lists_of_that_browser(as_nobody: Caller, stored: Maker) -> None:
    key = new_guest_key()
    mine = stored(guest_key=key)
    assert as_nobody("GET", address(mine)).status_code == 404
    as_nobody.client.cookies["guest"] = signed_guest_key(key)
    assert as_nobody("GET", address(mine)).status_code == 200
    assert as_nobody("GET", LISTS).json()["count"] == 1
    as_nobody.client.cookies["guest"] = signed_guest_key(uuid4())
    assert as_nobody("GET", address(mine)).status_code == 404


def test_ones_own_lists_page_by_page(
    as_owner: Caller, as_stranger: Caller, owner: User, stored: Maker, django_assert_num_queries: Any
) -> None:
    for number in range(60):
        stored(owner, name=f"Draft {number:02}", folder="club" if number < 5 else "")
    stored(owner, name="Thrown away", deleted=timezone.now())
    as_owner("GET", LISTS)
    with django_assert_num_queries(3):  # the token, the count, the page
        body = as_owner("GET", LISTS).json()
    assert (body["count"], len(body["results"])) == (60, 50)
    assert "document" not in body["results"][0]
    assert len(as_owner("GET", f"{LISTS}?page=2").json()["results"]) == 10
    assert as_stranger("GET", LISTS).json()["count"] == 0
    assert as_owner("GET", f"{LISTS}?folder=club").json()["count"] == 5
    assert as_owner("GET", f"{LISTS}?search=draft+0").json()["count"] == 10
    assert as_owner("GET", f"{LISTS}?system=chess").status_code == 400
    assert as_owner("GET", f"{LISTS}?verdict=not_checked").json()["count"] == 60
    assert as_owner("GET", f"{LISTS}?verdict=perhaps").status_code == 400


def test_the_bin(as_owner: Caller, owner: User, stored: Maker) -> None:
    stored(owner)
    gone = stored(owner, name="Thrown away", deleted=timezone.now())
    assert [row["name"] for row in as_owner("GET", f"{LISTS}deleted/").json()["results"]] == ["Thrown away"]
    assert as_owner("GET", address(gone)).status_code == 404


def test_revisions_are_for_the_owner(
    as_owner: Caller, as_stranger: Caller, owner: User, stored: Maker, game: PublishedSystem
) -> None:
    mine = stored(owner)
    for number in (1, 2):
        Revision.objects.create(
            army_list=mine,
            number=number,
            content=number,
            name=f"Draft {number}",
            packed_document=Revision.packed(f'{{"roster":{number}}}'),
            summary_en="Added a unit",
            summary_ru="Добавлен отряд",
            release=mine.release,
        )
    rows = as_owner("GET", address(mine, "revisions/")).json()["results"]
    assert [(row["number"], row["name"], row["summary"]["ru"]) for row in rows] == [
        (2, "Draft 2", "Добавлен отряд"),
        (1, "Draft 1", "Добавлен отряд"),
    ]
    assert as_owner("GET", address(mine, "revisions/1/")).json()["document"] == {"roster": 1}
    for part in ("revisions/3/", "revisions/999999999/", f"revisions/{'9' * 40}/"):
        assert as_owner("GET", address(mine, part)).status_code == 404, part
    link = link_to(mine)
    for part in ("revisions/", "revisions/1/", f"revisions/1/?share={link.token}"):
        assert as_stranger("GET", address(mine, part)).status_code == 404, part
