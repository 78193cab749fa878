"""Pages of events: describing one, handing a list in by link, the organiser's table, in both languages."""

import io
import re
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists.edits import Remove, SetFacts
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.services import create_army_list, duplicate_list
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.events.models import Event, Submission
from armybuilder.events.packs import read_pack
from armybuilder.events.queries import pack_of
from armybuilder.events.services import create_event
from tests.armylists.conftest import SONS, Muster


@pytest.fixture
def organiser(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


@pytest.fixture
def mine(heresy: PublishedSystem, friend: User) -> ArmyList:
    """A list of another player's."""
    return create_army_list(
        Viewer(user=friend), system_id=heresy.pk, name="Autumn muster", catalogue_id=SONS, points_limit=1500
    )


def describe(organiser: Client, **changes: Any) -> Event:
    form = {"name": "Friday evening", "kind": "event", "system": "horus-heresy", "pack": "", "bans": "", "caps": ""}
    made = organiser.post("/events/new/", {**form, **changes})
    assert made.status_code == 302, made.content.decode()
    return Event.objects.get()


def player(friend: User) -> Client:
    client = Client()
    client.force_login(friend)
    return client


def test_an_event_is_described_and_a_list_handed_in(organiser: Client, friend: User, mine: ArmyList) -> None:
    deadline = (timezone.now() + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M")
    event = describe(organiser, bans="Spartan: small tables", caps="Troops: 3", points_limit=1500, deadline=deadline)
    asked = Client().get(f"/e/{event.token}/").content.decode()
    assert "Spartan" in asked
    assert "small tables" in asked
    his = player(friend)
    done = his.post(f"/e/{event.token}/", {"player": "Mara", "own": str(mine.pk), "share": ""})
    handed_in = Submission.objects.get()
    assert done.headers["Location"] == f"/e/{event.token}/{handed_in.secret}/"
    page = Client().get(done.headers["Location"]).content.decode()
    assert "not accepted" in page
    assert "The list is not legal by the book. (EV-08)" in strip_tags(page)
    table = organiser.get(f"/events/{event.pk}/").content.decode()
    assert "Mara" in table
    assert "Autumn muster" in table
    assert organiser.get(f"/events/{event.pk}/archive/").headers["Content-Type"] == "application/zip"


def test_an_event_may_ask_for_what_the_form_has_itself(owner: User, friend: User, mine: ArmyList) -> None:
    names = ("player", "own", "share", "team")
    fields = [{"name": name, "label": {"en": name, "ru": name}, "required": True} for name in names]
    made = create_event(Viewer(user=owner), system_id="horus-heresy", name="Friday", pack=read_pack({"fields": fields}))
    said = {f"asked-{name}": f"my {name}" for name in names}
    done = player(friend).post(f"/e/{made.token}/", {"player": "Mara", "own": str(mine.pk), "share": "", **said})
    assert done.status_code == 302, done.content.decode()
    handed_in = Submission.objects.get()
    assert handed_in.player == "Mara"
    assert handed_in.fields == {name: f"my {name}" for name in names}


@pytest.mark.parametrize(
    ("language", "word", "points"), [("en", "Hand your list in", "1,500"), ("ru", "Сдать ростер", "1\u00a0500")]
)
def test_it_speaks_both_languages(
    organiser: Client, heresy: PublishedSystem, language: str, word: str, points: str
) -> None:
    event = describe(organiser, pack="heresy-evening")
    page = Client().get(f"/e/{event.token}/", headers={"Accept-Language": language}).content.decode()
    assert word in page
    assert points in page
    for address in ("/events/", "/events/new/", f"/events/{event.pk}/"):
        assert organiser.get(address, headers={"Accept-Language": language}).status_code == 200, address


def test_a_name_that_nothing_bears_is_told_to_the_organiser(organiser: Client, heresy: PublishedSystem) -> None:
    event = describe(organiser, bans="Predator Sqadron\nтактическое отделение", caps="Troops: 3\nОсновные войска: 2")
    page = organiser.get(f"/events/{event.pk}/").content.decode()
    assert "check the spelling: <strong>Predator Sqadron</strong>." in page
    asked = Client().get(f"/e/{event.token}/", headers={"Accept-Language": "ru"}).content.decode()
    assert "Не больше 3: Основные войска" in asked


def test_a_cap_without_a_number_is_refused_with_the_remedy(organiser: Client, heresy: PublishedSystem) -> None:
    form = {"name": "Friday", "kind": "event", "system": "horus-heresy", "pack": "", "bans": "", "caps": "6 Troops"}
    refused = organiser.post("/events/new/", form)
    assert refused.status_code == 422
    assert "such as “Troops: 6”" in refused.content.decode()
    assert "6 Troops" in refused.content.decode()


def test_a_locked_event_takes_nothing(organiser: Client, friend: User, mine: ArmyList) -> None:
    event = describe(organiser)
    Event.objects.update(deadline=timezone.now())
    page = Client().get(f"/e/{event.token}/").content.decode()
    assert not re.search(r'name="player"', page)
    assert "locked" in page
    refused = player(friend).post(f"/e/{event.token}/", {"player": "Mara", "own": str(mine.pk), "share": ""})
    assert refused.status_code == 422
    assert Submission.objects.count() == 0


def test_a_message_is_read_by_its_player(organiser: Client, friend: User, mine: ArmyList) -> None:
    event = describe(organiser)
    player(friend).post(f"/e/{event.token}/", {"player": "Mara", "own": str(mine.pk), "share": ""})
    handed_in = Submission.objects.get()
    organiser.post(f"/events/{event.pk}/", {"to": str(handed_in.pk), "text": "Doors at six"})
    assert "Doors at six" in Client().get(f"/e/{event.token}/{handed_in.secret}/").content.decode()
    assert "Doors at six" not in Client().get(f"/e/{event.token}/").content.decode()


def test_events_of_others_do_not_exist(organiser: Client, friend: User, heresy: PublishedSystem) -> None:
    event = describe(organiser)
    his = player(friend)
    for address in (f"/events/{event.pk}/", f"/events/{event.pk}/archive/"):
        assert his.get(address).status_code == 404, address
    assert his.post(f"/events/{event.pk}/delete/").status_code == 404
    assert Event.objects.count() == 1


@pytest.mark.parametrize(
    ("language", "way"), [("en", "Sign in and describe an event"), ("ru", "Войти и описать событие")]
)
def test_a_guest_reads_what_events_are_before_he_signs_in(db: None, language: str, way: str) -> None:
    guest = Client()
    guest.cookies["django_language"] = language
    page = guest.get("/events/")
    assert page.status_code == 200
    assert way in page.content.decode()
    assert "/accounts/sign-in/?next=/events/" in page.content.decode()
    assert 'href="/events/"' in guest.get("/").content.decode()  # from the foot of every page
    assert guest.get("/events/new/").status_code == 302


def test_a_form_that_names_no_list_keeps_what_was_written(organiser: Client, heresy: PublishedSystem) -> None:
    event = describe(organiser)
    refused = Client().post(f"/e/{event.token}/", {"player": "Mara", "own": "", "share": ""})
    assert refused.status_code == 422
    assert 'value="Mara"' in refused.content.decode()


def test_an_event_is_changed_on_its_page(organiser: Client, heresy: PublishedSystem) -> None:
    event = describe(organiser, bans="Spartan: small tables", points_limit=1500)
    address = f"/events/{event.pk}/change/"
    page = organiser.get(address).content.decode()
    assert "Spartan: small tables" in page and "1500" in page
    form = {"name": "Saturday", "points_limit": 1000, "bans": "", "caps": "Troops: 3", "deadline": "", "reveal_at": ""}
    assert organiser.post(address, form | {"reveal_at": "2030-01-01T10:00"}).status_code == 422
    assert organiser.post(address, form).status_code == 302
    event.refresh_from_db()
    pack = pack_of(event)
    assert (event.name, pack.points_limit, pack.bans, [cap.most for cap in pack.caps]) == ("Saturday", 1000, (), [3])


def test_all_that_an_event_asks_is_described_on_its_page(organiser: Client, heresy: PublishedSystem) -> None:
    event = describe(
        organiser,
        pack="heresy-evening",
        factions="Sons of Horus\nImperial Army",
        detachments="Allied Detachment",
        releases="1, 2",
        takes_illegal="on",
        refuses_unchecked="on",
        asked="Club*\nTable you like",
        layout="text-wtc",
    )
    pack = pack_of(event)
    assert (pack.points_limit, pack.factions, pack.releases) == (1500, ("Sons of Horus", "Imperial Army"), (1, 2))
    assert pack.detachments == ("Primary Detachment", "Allied Detachment"), "what the example has stays"
    assert (pack.must_be_legal, pack.take_unchecked, pack.layout) == (False, False, "text-wtc")
    assert [(one.name, one.label.en, one.required) for one in pack.fields] == [
        ("team", "Club", True),
        ("field_1", "Table you like", False),
    ]
    address = f"/events/{event.pk}/change/"
    kept = organiser.get(address).context["form"].initial
    form = {name: value for name, value in kept.items() if value and value is not True}
    assert organiser.post(address, form | {"asked": "Team*\nTable you like", "releases": ""}).status_code == 302
    event.refresh_from_db()
    changed = pack_of(event)
    assert [(one.name, one.label.en) for one in changed.fields] == [("field_2", "Team"), ("field_1", "Table you like")]
    assert (changed.releases, changed.must_be_legal, changed.caps) == ((), True, pack.caps)
    refused = organiser.post(address, form | {"releases": "newest"})
    assert refused.status_code == 422 and "newest" in refused.content.decode()


def test_two_lists_are_set_against_each_other_and_not_one_against_itself(
    organiser: Client, friend: User, mine: ArmyList
) -> None:
    event = describe(organiser)
    for name in ("Mara", "Nils"):
        player(friend).post(f"/e/{event.token}/", {"player": name, "own": str(mine.pk), "share": ""})
    page = organiser.get(f"/events/{event.pk}/").content.decode()
    second = page.partition('name="second"')[2].partition("</select>")[0]
    assert re.search(r"selected>\s*Nils", second)
    Event.objects.update(reveal_at=timezone.now())
    shown = Client().get(f"/e/{event.token}/").content.decode().partition("All lists")[2]
    assert re.search(r", \d+ pts</span>", shown)


RUSSIAN = {"Accept-Language": "ru"}


def test_a_player_reads_which_lists_the_event_takes(organiser: Client, game: PublishedSystem) -> None:
    event = describe(
        organiser,
        factions="Сыны Хоруса\nimperial army\nSome house",
        detachments="Allied Detachment",
        releases="1, 2",
        takes_illegal="on",
        refuses_unchecked="on",
    )
    page = Client().get(f"/e/{event.token}/").content.decode()
    assert "Only these factions: Sons of Horus, Imperial Army, Some house" in page
    assert "Only these detachments: Allied Detachment" in page
    assert "Only these releases of the data: 1, 2" in page
    assert "Lists that are illegal by the book are taken too." in page
    assert "Lists with parts that could not be checked are not taken." in page
    in_russian = Client().get(f"/e/{event.token}/", headers=RUSSIAN).content.decode()
    assert "Только эти фракции: Сыны Хоруса, Имперская армия, Some house" in in_russian
    assert "Только эти подразделения: Союзное подразделение" in in_russian


def test_what_changed_since_is_told_in_the_language_of_the_page(
    organiser: Client, friend: User, mine: ArmyList, game: PublishedSystem
) -> None:
    his = Muster(Viewer(user=friend), mine)
    _captain, squad = his.units("hh-la-praetor", "hh-la-tactical-squad")
    event = describe(organiser, bans="тактическое отделение\nPraetor: enough", takes_illegal="on")
    player(friend).post(f"/e/{event.token}/", {"player": "Mara", "own": str(his.list_id), "share": ""})
    his.edit(SetFacts(facts={"allegiance": "loyalist"}))
    table = f"/events/{event.pk}/"
    assert "allegiance<br>" in organiser.get(table).content.decode()
    his.units("hh-la-assault-squad")
    his.edit(Remove(node_id=squad))
    in_russian = organiser.get(table, headers=RUSSIAN).content.decode()
    assert "+ Штурмовое отделение" in in_russian
    assert "− Тактическое отделение" in in_russian
    assert "верность<br>" in in_russian
    assert "Сыны Хоруса" in in_russian and "Sons of Horus" not in in_russian
    assert "Претор: на событии под запретом: enough." in in_russian
    assert "Tactical Squad is banned at the event." in organiser.get(table).content.decode()


def test_the_organiser_of_many_sees_at_once_whose_list_changed(organiser: Client, friend: User, mine: ArmyList) -> None:
    """Among sixty-four rows the one that changed had to be looked for."""
    event = describe(organiser)
    his = player(friend)
    for name in ("Mara", "Otho"):
        source = mine if name == "Mara" else duplicate_list(Viewer(user=friend), mine.pk)
        assert his.post(f"/e/{event.token}/", {"player": name, "own": str(source.pk), "share": ""}).status_code == 302
    Muster(Viewer(user=friend), mine).units("hh-la-tactical-squad")
    page = organiser.get(f"/events/{event.pk}/").content.decode()
    (above,) = re.findall(r"<p>\s*Handed in:.*?</p>", page, re.DOTALL)
    assert strip_tags(above).strip() == "Handed in: 2Accepted: 0Changed since: Mara"  # a line each
    (anchor,) = re.findall(r'href="#([^"]+)"', above)
    assert "Mara" in page.split(f'id="{anchor}"')[1].split("</tr>")[0]


def test_lists_are_not_shown_before_they_are_locked(organiser: Client, heresy: PublishedSystem) -> None:
    form = {"name": "Friday", "kind": "event", "system": "horus-heresy", "reveal_at": "2030-01-01T10:00"}
    refused = organiser.post("/events/new/", form, headers=RUSSIAN)
    assert refused.status_code == 422
    assert "Ростеры раскрываются в срок сдачи или после него." in refused.content.decode()


@pytest.mark.parametrize(("language", "told"), [("en", "Club: Ravens"), ("ru", "Клуб: Ravens")])
def test_the_file_of_all_lists_says_what_was_asked_in_words(
    organiser: Client, friend: User, mine: ArmyList, language: str, told: str
) -> None:
    event = describe(organiser, pack="heresy-evening")
    form = {"player": "Mara", "own": str(mine.pk), "share": "", "asked-team": "Ravens"}
    assert player(friend).post(f"/e/{event.token}/", form).status_code == 302
    answer = organiser.get(f"/events/{event.pk}/archive/", headers={"Accept-Language": language})
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    (name,) = archive.namelist()
    assert name == "001 Mara - Autumn muster.txt"
    assert archive.read(name).decode().startswith(f"Mara\n{told}\n")
    assert told in strip_tags(
        organiser.get(f"/events/{event.pk}/", headers={"Accept-Language": language}).content.decode()
    )


def test_an_example_asks_only_for_what_this_data_has(organiser: Client, game: PublishedSystem) -> None:
    event = describe(organiser, pack="heresy-evening")
    assert pack_of(event).detachments == ("Primary Detachment",)
    assert "check the spelling" not in organiser.get(f"/events/{event.pk}/").content.decode()


@pytest.mark.parametrize(
    ("language", "waiting", "closed"),
    [
        ("en", "both are shown here when the other is in", "nothing can be handed in"),
        ("ru", "оба откроются здесь, когда сдадут второй", "сдать или изменить уже ничего нельзя"),
    ],
)
def test_the_first_of_a_blind_swap_is_told_to_wait_for_the_other(
    organiser: Client, friend: User, mine: ArmyList, language: str, waiting: str, closed: str
) -> None:
    event = describe(organiser, kind="swap")
    browser, told = player(friend), {"Accept-Language": language}
    first = browser.post(f"/e/{event.token}/", {"player": "Mara", "own": str(mine.pk), "share": ""})
    page = browser.get(first.headers["Location"], headers=told).content.decode()
    assert waiting in page and closed not in page
    browser.post(f"/e/{event.token}/", {"player": "Nils", "own": str(mine.pk), "share": ""})
    page = browser.get(first.headers["Location"], headers=told).content.decode()
    assert closed in page and waiting not in page


def test_an_event_is_not_deleted_by_one_careless_tap(organiser: Client, heresy: PublishedSystem) -> None:
    event = describe(organiser)
    before = organiser.get(f"/events/{event.pk}/").content.decode().partition(f'action="/events/{event.pk}/delete/"')[0]
    assert before.rindex("<details") > before.rfind("</details>")


def test_lists_that_cannot_meet_are_not_offered_to_be_set_against_each_other(
    organiser: Client, friend: User, mine: ArmyList
) -> None:
    event = describe(organiser)
    address, browser = f"/events/{event.pk}/", player(friend)
    browser.post(f"/e/{event.token}/", {"player": "Mara", "own": str(mine.pk), "share": ""})
    assert f'action="{address}pair/"' not in organiser.get(address).content.decode()  # against whom?
    browser.post(f"/e/{event.token}/", {"player": "Nils", "own": str(mine.pk), "share": ""})
    assert f'action="{address}pair/"' in organiser.get(address).content.decode()
    PublishedSystem.objects.update(rule_pack="")
    assert f'action="{address}pair/"' not in organiser.get(address).content.decode()


def test_what_is_asked_twice_is_asked_once(organiser: Client, heresy: PublishedSystem) -> None:
    event = describe(organiser, asked="Team*\nTeam\nTable")
    assert [(one.label.en, one.required) for one in pack_of(event).fields] == [("Team", True), ("Table", False)]
    unchanged = {"name": event.name, "asked": "Team*\nTable\nTeam*"}
    assert organiser.post(f"/events/{event.pk}/change/", unchanged).status_code == 302
    event.refresh_from_db()
    assert len(pack_of(event).fields) == 2


def test_a_deadline_is_told_with_the_zone_it_was_written_in(
    organiser: Client, heresy: PublishedSystem, settings: Any
) -> None:
    """On a site of another zone its local time stood there as UTC: whoever lives elsewhere came hours too late."""
    settings.TIME_ZONE = "America/New_York"
    assert "Lists are locked at (America/New York)" in organiser.get("/events/new/").content.decode()
    event = describe(organiser, deadline="2030-01-10T18:00", points_limit=1500)
    assert event.deadline is not None
    assert event.deadline.isoformat() == "2030-01-10T23:00:00+00:00"
    told = "10 January 2030, 18:00 (America/New York)"
    for address in (f"/e/{event.token}/", f"/events/{event.pk}/", "/events/"):
        page = organiser.get(address).content.decode()
        assert told in page, address
        assert "UTC" not in strip_tags(page), address
    assert "Points: 1,500" in organiser.get(f"/e/{event.token}/").content.decode()
