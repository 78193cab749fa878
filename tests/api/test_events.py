"""Events over the API: described, handed in to by link, checked at once, locked, revealed, compared and paired."""

import hashlib
import io
import json
import re
import zipfile
from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest
from army_builder_client import ArmyBuilder
from django.utils import timezone
from requests.utils import parse_header_links

from armybuilder.accounts.errors import SignUpRefused
from armybuilder.accounts.services import sign_up
from armybuilder.armylists.models import ArmyList
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.events import services
from armybuilder.events.models import Event, Message, Submission
from armybuilder.events.services import KEEPER, commitment_of
from armybuilder.reference.models import Faction
from armybuilder.simulations import dispatch
from armybuilder.simulations.working import work_on_next
from tests.api.conftest import Caller
from tests.api.test_armylists_writing import SQUAD
from tests.armylists.conftest import SONS

EVENTS = "/api/v1/events/"
MARAS_KEY = "9b2e4f0c-3f5e-4d7b-8a51-0c6d2f9e1a77"


def soon(hours: int = 1) -> str:
    return (timezone.now() + timedelta(hours=hours)).isoformat()


def a_list(caller: Caller, name: str, *, units: int = 0) -> dict[str, Any]:
    new = {"system": "horus-heresy", "name": name, "catalogue_id": SONS, "points_limit": 2000}
    made: dict[str, Any] = caller("POST", "/api/v1/lists/", new).json()
    return with_units(caller, made, units) if units else made


def with_units(caller: Caller, made: dict[str, Any], units: int) -> dict[str, Any]:
    force = made["document"]["roster"]["forces"][0]["id"]
    edits = [{"edit": "add_unit", "force_id": force, "entry_id": SQUAD}] * units
    answer = caller("POST", f"{made['address']}edits/", edits, If_Match="*")
    assert answer.status_code == 200, answer.content
    now: dict[str, Any] = answer.json()["list"]
    return now


def an_event(caller: Caller, **changes: Any) -> dict[str, Any]:
    answer = caller("POST", EVENTS, {"system": "horus-heresy", "name": "Friday evening", **changes})
    assert answer.status_code == 201, answer.content
    made: dict[str, Any] = answer.json()
    return made


def share(caller: Caller, made: dict[str, Any]) -> str:
    token: str = caller("POST", f"{made['address']}share-links/", {}).json()["token"]
    return token


def hand_in(caller: Caller, event: dict[str, Any], **new: Any) -> Any:
    return caller("POST", f"{event['event']['address']}submissions/", new)


def lock(event: dict[str, Any], *, revealed: bool = False) -> None:
    moment = timezone.now() - timedelta(minutes=1)
    Event.objects.filter(pk=event["id"]).update(deadline=moment, reveal_at=moment if revealed else None)


def test_the_shipped_packs_are_packs(as_owner: Caller, as_nobody: Caller, game: PublishedSystem) -> None:
    packs = as_nobody("GET", f"{EVENTS}packs/").json()
    assert {pack["system"] for pack in packs} == {"horus-heresy", "fantasy-8th", "epic"}
    made = an_event(as_owner, pack=next(pack["pack"] for pack in packs if pack["system"] == "horus-heresy"))
    assert made["event"]["pack"]["points_limit"] == 1500


def test_points_are_written_as_on_the_list(
    as_owner: Caller, as_friend: Caller, as_nobody: Caller, game: PublishedSystem
) -> None:
    event = an_event(as_owner, pack={"points_limit": 1000}, deadline=soon())
    link = share(as_friend, a_list(as_friend, "Mine", units=12))
    found = hand_in(as_nobody, event, player="Mara", share=link).json()["submission"]["findings"]
    (said,) = [finding["message"] for finding in found if finding["rule"] == "EV-01"]
    assert re.fullmatch(r"The list costs \d,\d{3} points; the event plays 1,000\.", said["en"])
    assert re.fullmatch(r"Ростер стоит \d\s\d{3}, а играют на 1\s000\.", said["ru"])


def test_legal_or_not_by_the_book_and_at_this_event(
    as_owner: Caller, as_friend: Caller, as_nobody: Caller, game: PublishedSystem
) -> None:
    pack = {
        "points_limit": 100,
        "bans": [{"name": "Assault Squad", "why": "we saw enough of them"}],
        "caps": [{"name": "Troops", "most": 0}],
        "fields": [{"name": "team", "label": {"en": "Team", "ru": "Команда"}}],
    }
    event = an_event(as_owner, pack=pack, deadline=soon())
    link = share(as_friend, a_list(as_friend, "Mine", units=1))
    answer = hand_in(as_nobody, event, player="Mara", share=link)
    assert answer.status_code == 201, answer.content
    body = answer.json()["submission"]
    rules = [finding["rule"] for finding in body["findings"]]
    assert (body["verdict"], body["accepted"]) == ("illegal", False)
    assert {"EV-01", "EV-05", "EV-06", "EV-07", "EV-08"} <= set(rules)
    assert all(finding["message"]["ru"] != finding["message"]["en"] for finding in body["findings"])
    assert body == as_nobody("GET", answer["Location"]).json()["submission"]


@pytest.mark.parametrize(
    ("asked", "rules"),
    [
        ({"bans": [{"name": "assault squad"}]}, ["EV-05"]),
        ({"bans": [{"name": "Штурмовое отделение"}]}, ["EV-05"]),
        ({"caps": [{"name": "Основные войска", "most": 0}]}, ["EV-06"]),
        ({"caps": [{"name": "Основные войска", "most": 1}]}, []),
        ({"factions": ["Сыны Хоруса"]}, []),
        ({"factions": ["Тёмные Ангелы"]}, ["EV-04"]),
    ],
)
def test_an_event_names_things_in_either_language(
    as_owner: Caller, as_nobody: Caller, game: PublishedSystem, asked: dict[str, Any], rules: list[str]
) -> None:
    event = an_event(as_owner, pack={"must_be_legal": False, **asked})
    link = share(as_owner, a_list(as_owner, "Mine", units=1))
    body = hand_in(as_nobody, event, player="Mara", share=link).json()["submission"]
    assert [finding["rule"] for finding in body["findings"]] == rules


def test_a_list_that_is_welcome(as_owner: Caller, as_nobody: Caller, game: PublishedSystem) -> None:
    event = an_event(as_owner, pack={"must_be_legal": False}, deadline=soon())
    body = hand_in(as_owner, event, player="Mara", list=a_list(as_owner, "Mine")["id"]).json()
    assert (body["submission"]["accepted"], body["submission"]["findings"]) == (True, [])


def test_it_may_be_replaced_until_the_lock(as_owner: Caller, as_nobody: Caller, game: PublishedSystem) -> None:
    event = an_event(as_owner, deadline=soon())
    first, second = a_list(as_owner, "First"), a_list(as_owner, "Second")
    mine = hand_in(as_nobody, event, player="Mara", share=share(as_owner, first)).json()
    twice = hand_in(as_nobody, event, player="Mara", share=share(as_owner, second))
    assert (twice.status_code, twice.json()["code"]) == (422, "submission-refused")
    again = hand_in(as_nobody, event, player="Mara", share=share(as_owner, second), secret=mine["secret"])
    assert (again.status_code, again.json()["submission"]["name"]) == (201, "Second")
    lock(event)
    late = hand_in(as_nobody, event, player="Mara", share=share(as_owner, first), secret=mine["secret"])
    assert (late.status_code, late.json()["code"]) == (409, "event-locked")
    assert Submission.objects.get().army_list.name == "Second"


def test_moments_with_odd_offsets_are_kept_as_universal_time(as_owner: Caller, game: PublishedSystem) -> None:
    event = an_event(as_owner, deadline="2999-01-01T00:00:00-23:00", reveal_at="9999-12-31T23:00:00-23:00")
    kept = event["event"]
    assert (kept["deadline"], kept["reveal_at"]) == ("2999-01-01T23:00:00Z", "9999-12-30T00:00:00Z")


def test_lists_are_hidden_and_revealed_together(
    as_owner: Caller, as_nobody: Caller, as_stranger: Caller, game: PublishedSystem
) -> None:
    event = an_event(as_owner, deadline=soon(1), reveal_at=soon(2))
    hand_in(as_owner, event, player="Mara", list=a_list(as_owner, "Mine")["id"])
    address = f"{event['event']['address']}submissions/"
    hidden = as_stranger("GET", address)
    assert (hidden.status_code, hidden.json()["code"]) == (403, "not-revealed")
    assert as_stranger("GET", f"{EVENTS}{event['id']}/table/").status_code == 404
    lock(event, revealed=True)
    (row,) = as_nobody("GET", address).json()
    assert as_nobody("GET", f"/api/v1/shared/{row['shared']}/").json()["name"] == "Mine"


def test_a_blind_swap(as_owner: Caller, as_friend: Caller, as_nobody: Caller, game: PublishedSystem) -> None:
    event = an_event(as_owner, kind="swap")
    address = event["event"]["address"]
    mine = hand_in(as_owner, event, player="Mara", list=a_list(as_owner, "Mine")["id"]).json()
    assert as_nobody("GET", f"{address}submissions/").status_code == 403
    (bound,) = as_nobody("GET", f"{address}commitments/").json()
    other = a_list(as_owner, "Other")["id"]
    assert hand_in(as_owner, event, player="Mara", list=other, secret=mine["secret"]).status_code == 409
    assert hand_in(as_friend, event, player="Odo", list=a_list(as_friend, "His")["id"]).status_code == 201
    rows = {row["player"]: row for row in as_nobody("GET", f"{address}submissions/").json()}
    assert set(rows) == {"Mara", "Odo"}
    document = Submission.objects.get(player="Mara").army_list.document
    assert commitment_of(document, rows["Mara"]["nonce"]) == bound["commitment"]
    answer = as_nobody("GET", f"/api/v1/shared/{rows['Mara']['shared']}/").content.decode()  # as docs/api.md has it
    begin = answer.index('"document":') + len('"document":')
    end = json.JSONDecoder().raw_decode(answer, begin)[1]
    said = hashlib.sha256((rows["Mara"]["nonce"] + answer[begin:end]).encode()).hexdigest()
    assert said == bound["commitment"]
    assert hand_in(as_friend, event, player="Third", list=a_list(as_friend, "Late")["id"]).status_code == 409


def test_the_organiser_writes_to_one_or_to_all(as_owner: Caller, as_nobody: Caller, game: PublishedSystem) -> None:
    event = an_event(as_owner)
    mine = hand_in(as_owner, event, player="Mara", list=a_list(as_owner, "Mine")["id"]).json()
    hers = hand_in(as_owner, event, player="Odo", list=a_list(as_owner, "His")["id"]).json()
    messages = f"{EVENTS}{event['id']}/messages/"
    assert as_owner("POST", messages, {"text": "Doors at six"}).status_code == 201
    one = {"text": "Your warlord is missing", "submission": mine["submission"]["id"]}
    assert as_owner("POST", messages, one).status_code == 201
    own = f"{event['event']['address']}submissions/"
    assert as_nobody("GET", f"{own}{mine['secret']}/").json()["messages"] == ["Your warlord is missing", "Doors at six"]
    assert as_nobody("GET", f"{own}{hers['secret']}/").json()["messages"] == ["Doors at six"]


@pytest.mark.parametrize(
    ("change", "at"),
    [
        ({"pack": {"layout": "parchment"}}, "/pack/layout"),
        ({"pack": {"colour": "red"}}, "/pack/colour"),
        ({"reveal_at": "2030-01-01T00:00:00Z"}, "/reveal_at"),
        ({"name": ""}, "/name"),
        ({"name": " "}, "/name"),
    ],
)
def test_what_is_no_event(as_owner: Caller, game: PublishedSystem, change: dict[str, Any], at: str) -> None:
    answer = as_owner("POST", EVENTS, {"system": "horus-heresy", "name": "x", **change})
    assert (answer.status_code, answer.json()["error"]["at"]) == (400, at)
    assert Event.objects.count() == 0


@pytest.mark.long
def test_sixty_four_lists_of_which_one_changes_after_the_lock(
    as_owner: Caller, as_friend: Caller, as_nobody: Caller, game: PublishedSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatch, "send", lambda computation_id: True)
    event = an_event(as_owner, pack={"layout": "text-new-recruit"}, deadline=soon())
    lists = [a_list(as_friend, "Seven", units=1), *(a_list(as_friend, f"List {n}", units=1) for n in range(3))]
    links = [share(as_friend, one) for one in lists]
    ids = []
    for number in range(64):
        answer = hand_in(
            as_nobody, event, player=f"Player {number:02}", share=links[0 if number == 7 else 1 + number % 3]
        )
        assert answer.status_code == 201, answer.content
        ids.append(answer.json()["submission"]["id"])
    lock(event)
    with_units(as_friend, lists[0], 1)
    table = as_owner("GET", f"{EVENTS}{event['id']}/table/").json()
    assert len(table) == 64
    (changed,) = [row for row in table if row["changed"]]
    assert (changed["submission"]["player"], len(changed["added"])) == ("Player 07", 1)
    archive = zipfile.ZipFile(io.BytesIO(as_owner("GET", f"{EVENTS}{event['id']}/archive/").content))
    assert len(archive.namelist()) == 64
    assert archive.read(archive.namelist()[7]).decode().startswith("Player 07\n")
    pairing = {"first": ids[7], "second": ids[8]}
    run = as_owner("POST", f"{EVENTS}{event['id']}/pairings/", pairing)
    assert (run.status_code, run.json()["kind"]) == (202, "matrix"), json.dumps(run.json())
    copies = ArmyList.objects.filter(owner__username=KEEPER).count()
    assert as_owner("DELETE", f"{EVENTS}{event['id']}/").status_code == 204
    assert (copies, ArmyList.objects.filter(owner__username=KEEPER).count()) == (64, 0)


@pytest.mark.long
def test_any_two_of_sixty_four_lists_are_paired(
    as_owner: Caller,
    as_friend: Caller,
    as_nobody: Caller,
    game: PublishedSystem,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A round has 32 tables: whoever asks for more at once than one may have waiting asks again when they are done."""
    monkeypatch.setattr(dispatch, "send", lambda computation_id: True)
    event, other = an_event(as_owner, deadline=soon()), an_event(as_owner, name="Saturday", deadline=soon())
    links = [share(as_friend, a_list(as_friend, f"List {units}", units=units)) for units in range(1, 9)]
    ids = []
    for number in range(64):
        answer = hand_in(as_nobody, event, player=f"Player {number:02}", share=links[number % 8])
        ids.append(answer.json()["submission"]["id"])
    foreign = hand_in(as_nobody, other, player="Elsewhere", share=links[0]).json()["submission"]["id"]
    pairings = f"{EVENTS}{event['id']}/pairings/"
    first_round = [(number, 63 - number) for number in range(32)]
    other_lists = [(one, 8 + two) for one in range(8) for two in range(one, 8) if one + two != 7]
    refused, runs = 0, []
    for one, two in first_round + other_lists:
        asked = as_owner("POST", pairings, {"first": ids[one], "second": ids[two]})
        if asked.status_code == 422:
            assert "Wait for one" in asked.json()["error"]["message"]
            refused += 1
            while work_on_next(uuid4()):
                pass
            asked = as_owner("POST", pairings, {"first": ids[one], "second": ids[two]})
        assert asked.status_code == 202, (one, two, asked.content)
        runs.append((one, two, asked.json()["address"]))
    while work_on_next(uuid4()):
        pass
    assert refused >= 1
    for one, two, address in runs:
        run = as_owner("GET", address).json()
        assert run["state"] == "done", run["error"]
        for side, number in (("attacker", one), ("defender", two)):
            army = run["result"][side]
            assert (army["name"], len(army["units"])) == (f"List {number % 8 + 1}", number % 8 + 1)
        assert [len(row) for row in run["result"]["forth"]] == [two % 8 + 1] * (one % 8 + 1)
    for caller, first, second in (
        (as_owner, ids[0], foreign),
        (as_owner, foreign, ids[0]),
        (as_friend, ids[0], ids[1]),
    ):
        assert caller("POST", pairings, {"first": first, "second": second}).status_code == 404
    assert as_owner("POST", pairings, {"first": ids[3], "second": ids[3]}).status_code == 202, "a list against itself"


def test_an_event_is_described_anew_and_lists_are_judged_again(
    as_owner: Caller, as_nobody: Caller, as_stranger: Caller, game: PublishedSystem
) -> None:
    event = an_event(as_owner, pack={"must_be_legal": False}, deadline=soon())
    hand_in(as_nobody, event, player="Mara", share=share(as_owner, a_list(as_owner, "Mine", units=1)))
    address = f"{EVENTS}{event['id']}/"
    pack = event["event"]["pack"] | {"bans": [{"name": "Assault Squad", "why": "seen"}]}
    assert as_stranger("PATCH", address, {"name": "Mine now"}).status_code == 404
    later = soon(5)
    changed = as_owner("PATCH", address, {"pack": pack, "deadline": later})
    assert changed.status_code == 200, changed.content
    assert (changed.json()["event"]["name"], changed.json()["event"]["pack"]) == ("Friday evening", pack)
    (row,) = as_owner("GET", f"{address}table/").json()
    assert row["submission"]["accepted"] is False
    assert as_owner("PATCH", address, {"pack": pack | {"bans": []}}).status_code == 200
    (row,) = as_owner("GET", f"{address}table/").json()
    assert (row["submission"]["accepted"], row["submission"]["findings"]) == (True, [])
    early = as_owner("PATCH", address, {"reveal_at": soon(1)})
    assert (early.status_code, early.json()["error"]["at"]) == (400, "/reveal_at")


def test_what_everybody_has_seen_is_not_opened_again(as_owner: Caller, game: PublishedSystem) -> None:
    event = an_event(as_owner, deadline=soon())
    address = f"{EVENTS}{event['id']}/"
    lock(event, revealed=True)
    late = as_owner("PATCH", address, {"deadline": soon()})
    assert (late.status_code, late.json()["code"]) == (409, "event-locked")
    renamed = as_owner("PATCH", address, {"name": "The same evening"})
    assert renamed.json()["event"]["name"] == Event.objects.get().name == "The same evening"


def test_a_list_sent_twice_after_a_lost_answer_is_handed_in_once(
    as_owner: Caller, as_nobody: Caller, game: PublishedSystem
) -> None:
    event = an_event(as_owner, deadline=soon())
    link = share(as_owner, a_list(as_owner, "Mine"))
    address = f"{event['event']['address']}submissions/"
    sent = {"player": "Mara", "share": link}
    first, second = (as_nobody("POST", address, sent, Idempotency_Key=MARAS_KEY) for _ in range(2))
    assert first.status_code == second.status_code == 201
    assert first.json() == second.json()
    assert second["Idempotent-Replayed"] == "true"
    other = as_nobody("POST", address, sent | {"player": "Nils"}, Idempotency_Key=MARAS_KEY)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency-key-reused")
    assert Submission.objects.count() == 1


def test_a_key_that_others_might_use_gives_nobodys_answer(
    as_owner: Caller, as_nobody: Caller, game: PublishedSystem
) -> None:
    event = an_event(as_owner, deadline=soon())
    sent = {"player": "Mara", "share": share(as_owner, a_list(as_owner, "Mine"))}
    for key in ("1", "mara-1", "k" * 21):
        refused = as_nobody("POST", f"{event['event']['address']}submissions/", sent, Idempotency_Key=key)
        assert (refused.status_code, refused.json()["code"]) == (400, "bad-value")
    assert Submission.objects.count() == 0
    assert as_owner("POST", f"{event['event']['address']}submissions/", sent, Idempotency_Key="1").status_code == 201


def test_names_that_nothing_bears_are_told_to_the_organiser_alone(
    as_owner: Caller, as_nobody: Caller, game: PublishedSystem
) -> None:
    pack = {"bans": [{"name": "Asault Squad"}, {"name": "Assault Squad"}], "caps": [{"name": "Line", "most": 1}]}
    made = an_event(as_owner, pack=pack)
    assert made["unknown_names"] == ["Asault Squad", "Line"]
    address = f"{EVENTS}{made['id']}/"
    assert as_owner("GET", address).json()["unknown_names"] == ["Asault Squad", "Line"]
    assert as_owner("GET", EVENTS).json()["results"][0]["unknown_names"] == ["Asault Squad", "Line"]
    assert as_owner("PATCH", address, {"pack": {"factions": ["Сыны Хоруса"]}}).json()["unknown_names"] == []
    assert "unknown_names" not in as_nobody("GET", made["event"]["address"]).json()


@pytest.mark.parametrize("link", [{}, {"frozen": True}])
def test_a_link_that_shows_nothing_more_of_a_list_shows_no_changes_either(
    as_owner: Caller, as_friend: Caller, game: PublishedSystem, link: dict[str, bool]
) -> None:
    event = an_event(as_owner)
    made = a_list(as_friend, "Mine")
    token = as_friend("POST", f"{made['address']}share-links/", link).json()["token"]
    assert hand_in(as_owner, event, player="Mara", share=token).status_code == 201
    with_units(as_friend, made, 1)
    table = f"{EVENTS}{event['id']}/table/"
    (open_row,) = as_owner("GET", table).json()
    assert (open_row["is_seen"], len(open_row["added"])) == (not link, 0 if link else 1)
    assert as_friend("DELETE", f"{made['address']}share-links/{token}/").status_code == 204
    (row,) = as_owner("GET", table).json()
    assert (row["is_seen"], row["changed"], row["added"], row["changes"]) == (False, False, [], [])


def test_of_two_who_come_last_to_a_swap_one_is_too_late(
    as_owner: Caller, as_friend: Caller, game: PublishedSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = an_event(as_owner, kind="swap")
    lists = [a_list(as_owner, name)["id"] for name in ("First", "Second", "Third")]
    hand_in(as_owner, event, player="Mara", list=lists[0])
    looked_up = services.referred_list

    def meanwhile(*args: Any) -> ArmyList:
        monkeypatch.setattr(services, "referred_list", looked_up)
        assert hand_in(as_owner, event, player="Odo", list=lists[1]).status_code == 201
        return looked_up(*args)

    monkeypatch.setattr(services, "referred_list", meanwhile)
    late = hand_in(as_owner, event, player="Third", list=lists[2])
    assert (late.status_code, late.json()["code"]) == (409, "event-locked")
    assert sorted(Submission.objects.values_list("player", flat=True)) == ["Mara", "Odo"]


@pytest.mark.parametrize(
    ("changes", "at"),
    [({"player": "  "}, "/player"), ({"fields": {"colour": "red"}}, "/fields/colour"), ({"team": "Reds"}, "/team")],
)
def test_what_is_no_submission(as_owner: Caller, game: PublishedSystem, changes: dict[str, Any], at: str) -> None:
    event = an_event(as_owner, pack={"fields": [{"name": "team", "label": {"en": "Team", "ru": "Команда"}}]})
    answer = hand_in(as_owner, event, **{"player": "Mara", "list": a_list(as_owner, "Mine")["id"], **changes})
    assert (answer.status_code, answer.json()["error"]["at"]) == (400, at)
    assert Submission.objects.count() == 0


def test_a_message_of_blanks_is_none(as_owner: Caller, game: PublishedSystem) -> None:
    event = an_event(as_owner)
    answer = as_owner("POST", f"{EVENTS}{event['id']}/messages/", {"text": " \n"})
    assert (answer.status_code, answer.json()["error"]["at"]) == (400, "/text")
    sent = [as_owner("POST", f"{EVENTS}{event['id']}/messages/", {"text": "At six"}, Idempotency_Key="m") for _ in "12"]
    assert [one.status_code for one in sent] == [201, 201]
    assert Message.objects.count() == 1, "a repeat is no second message"


def test_nobody_can_sign_up_as_the_keeper_of_lists(db: None) -> None:
    with pytest.raises(SignUpRefused):
        sign_up(username=KEEPER, password="a password of some length")


def test_what_is_an_array_comes_in_parts_too(as_owner: Caller, as_nobody: Caller, game: PublishedSystem) -> None:
    event = an_event(as_owner, deadline=soon())
    link = share(as_owner, a_list(as_owner, "Mine"))
    address = event["event"]["address"]
    players = ["Ada", "Mara", "Nils", "Olga", "Piet"]
    for player in players:
        assert as_nobody("POST", f"{address}submissions/", {"player": player, "share": link}).status_code == 201
    lock(event, revealed=True)
    for caller, path, name in (
        (as_owner, f"{EVENTS}{event['id']}/table/", lambda row: row["submission"]["player"]),
        (as_nobody, f"{address}submissions/", lambda row: row["player"]),
        (as_nobody, f"{address}commitments/", lambda row: row["player"]),
    ):
        whole = caller("GET", path)
        assert [name(row) for row in whole.json()] == players
        assert "Link" not in whole
        middle = caller("GET", f"{path}?page=2&page_size=2")
        assert [name(row) for row in middle.json()] == ["Nils", "Olga"]
        links = parse_header_links(middle["Link"])
        assert {link["rel"]: [name(row) for row in caller("GET", link["url"]).json()] for link in links} == {
            "prev": ["Ada", "Mara"],
            "next": ["Piet"],
        }
        assert caller("GET", f"{path}?page=4&page_size=2").status_code == 404
        assert caller("GET", f"{path}?page_size=0").status_code == 400


def test_factions_are_called_in_the_language_of_the_request(as_owner: Caller, game: PublishedSystem) -> None:
    Faction.objects.filter(key="sons-of-horus").update(catalogue_name="Sons of Horus", name_ru="Сыны Хоруса")
    event, mine = an_event(as_owner), a_list(as_owner, "Mine")
    handed_in = hand_in(as_owner, event, player="Mara", list=mine["id"])
    for language, called in (("en", "Sons of Horus"), ("ru", "Сыны Хоруса")):
        answer = as_owner("GET", handed_in["Location"], Accept_Language=language).json()
        assert answer["submission"]["factions"] == called


def test_the_client_reads_every_part_of_an_array(as_owner: Caller, as_nobody: Caller, game: PublishedSystem) -> None:
    event, link = an_event(as_owner), share(as_owner, a_list(as_owner, "Mine"))
    for number in range(5):
        hand_in(as_nobody, event, player=f"Player {number}", share=link)
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.raw_path.decode())
        found = as_nobody("GET", asked[-1])
        return httpx.Response(found.status_code, content=found.content, headers=dict(found.headers))

    with ArmyBuilder("https://armies.example", transport=httpx.MockTransport(answer)) as api:
        rows = list(api.all_parts(f"{event['event']['address']}commitments/", page_size=2, ordering="-player"))
    assert [row["player"] for row in rows] == [f"Player {number}" for number in (4, 3, 2, 1, 0)]
    assert len(asked) == 3
