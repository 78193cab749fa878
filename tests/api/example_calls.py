"""Every operation of the API once, at a site with the sample data, so that it answers as it should; and usual problems.

A call that stands first is the one that is kept as the example (`example_answers.Recorder`).
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from armybuilder.datafiles.models import PublishedSystem
from armybuilder.events.models import Event
from armybuilder.reference import import_queue, publishing
from armybuilder.simulations import dispatch
from armybuilder.simulations.models import SimulationRun
from armybuilder.webhooks import delivering
from armybuilder.webhooks.models import Delivery
from tests.api.test_events import soon
from tests.api.test_simulations import SHOOTING
from tests.gamedata_files import SQUAD, catalogue, entry, release
from tests.simulations.conftest import wait_for
from tests.simulations.test_upgrades import OGRE

Ask = Callable[..., Any]

V1 = "/api/v1/"
LISTS = f"{V1}lists/"

ARMY = {
    "version": 1,
    "system": "epic",
    "name": "A line too thin",
    "strategy_rating": 5,
    "formations": [
        {
            "id": "line",
            "name": "Line company",
            "points": 1999,
            "initiative": "2+",
            "units": [
                {
                    "id": "line-1",
                    "name": "Infantry",
                    "type": "INF",
                    "count": 10,
                    "profile": {"speed": 15, "armour": "4+", "CC": "4+", "FF": "4+"},
                }
            ],
        }
    ],
}
TEXT = """Speartip [2000 pts]

HQ
Praetor [100 pts]
Troops
Tactical Squad [150 pts]
"""
OGRES = {"system": "horus-heresy", "name": "My ogres", "points": 150, "side": OGRE}


def published_data(nobody: Ask) -> None:
    """What anybody reads without an account, and documents that are checked."""
    nobody("GET", V1)
    nobody("POST", f"{V1}check/", ARMY)
    nobody("POST", f"{V1}check/", ARMY | {"colour": "red"}, status=400)
    nobody("POST", f"{V1}check/", "nothing", status=415)
    nobody("POST", f"{V1}checks/", [ARMY, ARMY | {"strategy_rating": None}])
    systems, heresy = f"{V1}systems/", f"{V1}systems/horus-heresy/"
    nobody("GET", systems, Accept="text/html", status=406)
    nobody("GET", f"{V1}nowhere/", status=404)
    for address in (systems, heresy):
        nobody("GET", address)
    for part in ("roles", "factions", "factions/sons-of-horus", "force-organisations", "alliances", "facts",
                 "fortifications", "rules", "rules/HH-30", "units/all"):  # fmt: skip
        nobody("GET", f"{heresy}{part}/")
    units = nobody("GET", f"{heresy}units/?faction=sons-of-horus&role=troops").json()
    nobody("GET", f"{heresy}units/{units['results'][0]['id']}/")
    nobody("GET", f"{heresy}units/{units['results'][0]['id']}/takers/")
    for part in ("magic-items", "lores"):
        nobody("GET", f"{systems}fantasy-8th/{part}/")
    nobody("GET", f"{systems}relic/cards/")
    nobody("GET", f"{V1}targets/standard/horus-heresy/")
    for part in ("problems/", "problems/not-found/", "verdict-keys/"):
        nobody("GET", f"{V1}{part}")


def account(owner: Ask, nobody: Ask) -> None:
    """Tokens, and all the site holds of somebody."""
    nobody("GET", f"{V1}account/", status=401)
    for part in ("", "data/", "tokens/"):
        owner("GET", f"{V1}account/{part}")
    new = {"name": "Discord bot", "scopes": ["lists:read", "check"], "expires_at": "2030-01-01T00:00:00Z"}
    made = owner("POST", f"{V1}account/tokens/", new)
    reader = {"Authorization": f"Bearer {made.json()['secret']}"}
    owner("POST", LISTS, {}, status=403, **reader)
    owner("GET", made["Location"])
    owner("DELETE", made["Location"])


def lists(owner: Ask, nobody: Ask) -> dict[str, Any]:
    """A list is built, repaired, checked, exported and shared; the list, and its share token."""
    faction = nobody("GET", f"{V1}systems/horus-heresy/factions/sons-of-horus/").json()
    new = {"system": "horus-heresy", "name": "Speartip", "catalogue_id": faction["catalogue_id"]}
    made = owner("POST", LISTS, new | {"points_limit": 2000, "allegiance": "traitor"}).json()
    address, force = made["address"], made["document"]["roster"]["forces"][0]["id"]
    add = [
        {"edit": "add_unit", "force_id": force, "entry_id": f"hh-la-{name}"} for name in ("praetor", "tactical-squad")
    ]
    owner("POST", f"{address}edits/", add, status=428)
    edited = owner("POST", f"{address}edits/", add, If_Match='"1"').json()["list"]
    owner("POST", f"{address}edits/", add, If_Match='"1"', status=409)
    unit = edited["document"]["roster"]["forces"][0]["selections"][0]["id"]
    owner("GET", f"{address}?expand=sheet&fields=name,points,verdict,sheet")
    owner("GET", f"{address}offers/?under={force}")
    owner("GET", f"{address}explanations/?under={force}&entry=hh-la-praetor")
    found = owner("POST", f"{address}check/").json()["findings"]
    warlord = next(one for one in found if one["rule"] == "HH-32")
    owner("GET", f"{address}repairs/?rule=HH-32" + (f"&at={warlord['at']}" if warlord["at"] else ""))
    owner("PATCH", address, {"name": "Speartip", "folder": "club"}, If_Match="*")
    owner("POST", f"{address}undo/", If_Match="*")
    owner("POST", f"{address}redo/", If_Match="*")
    owner("POST", f"{address}redo/", If_Match="*", status=422)
    owner("GET", f"{address}revisions/")
    owner("GET", f"{address}revisions/2/")
    owner("POST", f"{address}revisions/2/restore/", If_Match="*")
    copy = owner("POST", f"{address}copies/", {"name": "Speartip, second try"}).json()
    there = {"list_id": copy["id"], "force_id": copy["document"]["roster"]["forces"][0]["id"]}
    owner("POST", f"{address}units/{unit}/copies/", there)
    exported(owner, address)
    owner("DELETE", copy["address"], If_Match="*")
    owner("GET", f"{LISTS}deleted/")
    owner("POST", f"{copy['address']}restore/")
    owner("GET", LISTS)
    return {**made, "shared": shared(owner, nobody, address)}


def exported(owner: Ask, address: str) -> None:
    """A list in every format, and texts and files as lists."""
    file = b"".join(owner("GET", f"{address}file/"))
    for row in owner("GET", f"{address}exports/").json():
        owner("GET", row["address"])
    owner("POST", f"{LISTS}imports/?name=Again&file_name=speartip.ros", file)
    owner("POST", f"{LISTS}imports/reviews/?system=horus-heresy", TEXT.encode())


def shared(owner: Ask, nobody: Ask, address: str) -> str:
    """A list behind a link, and its verdict, signed; the token of the link."""
    links = f"{address}share-links/"
    token: str = owner("POST", links, {"expires_at": "2030-01-01T00:00:00Z"}).json()["token"]
    owner("GET", links)
    for part in ("?expand=sheet&fields=name,points,verdict,sheet", "code/", "exports/", "file/"):
        nobody("GET", f"{V1}shared/{token}/{part}")
    for row in nobody("GET", f"{V1}shared/{token}/exports/").json():
        nobody("GET", row["address"])
    nobody("POST", f"{V1}shared/{token}/check/")
    owner("POST", f"{V1}shared/{token}/copies/")
    other = owner("POST", links, {}).json()["token"]
    owner("DELETE", f"{links}{other}/")
    nobody("GET", f"{V1}shared/{other}/", status=404)
    signed = owner("POST", f"{address}verdict/")
    nobody("GET", signed["Location"])
    nobody("GET", f"{signed['Location']}code/")
    return token


def newer_data(owner: Ask) -> None:
    """A list moves to newer game data, another stays."""
    system = PublishedSystem.objects.create(id="invented", name="Invented Game")
    publishing.publish(system, release(), origin="the first files")
    new = {"system": system.pk, "name": "Old guard", "catalogue_id": "red"}
    moved, kept = (owner("POST", LISTS, new).json() for _ in range(2))
    for made in (moved, kept):
        force = made["document"]["roster"]["forces"][0]["id"]
        add = {"edit": "add_unit", "force_id": force, "entry_id": "captain"}
        owner("POST", f"{made['address']}edits/", add, If_Match="*")
    dearer = catalogue("red", "Red Host", entry("captain", "Captain", category="hq", points=130), SQUAD)
    publishing.publish(system, release(dearer, revision=2), origin="newer files")
    choice = {"release": owner("GET", f"{moved['address']}impact/").json()["after"]["id"]}
    owner("POST", f"{moved['address']}impact/move/", choice, If_Match="*")
    owner("POST", f"{kept['address']}impact/stay/", choice)


def simulations(owner: Ask, army: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """A question that waits, is cancelled and removed; one that is answered; targets. A worker is there."""
    runs = f"{V1}simulations/"
    matrix = {"kind": "matrix", "attacker": {"list": army["id"]}, "defender": {"share": army["shared"]}}
    with monkeypatch.context() as patched:
        patched.setattr(dispatch, "send", lambda computation_id: True)
        made = owner("POST", runs, matrix | {"conditions": {"distance": 12}})
        owner("GET", made["Location"])
        owner("GET", f"{made['Location']}result/")
    owner("POST", f"{made['Location']}cancel/")
    done = answered(owner, SHOOTING | {"name": "Ten bolters"})
    owner("GET", f"{done['Location']}result/")
    owner("GET", f"{done['Location']}pictures/")
    quick = answered(owner, {"system": "relic", "kind": "dice_roll", "dice": 2})
    owner("GET", f"{quick['Location']}events/")
    owner("GET", runs)
    owner("DELETE", quick["Location"])
    owner("POST", runs, SHOOTING | {"trials": 10**9, "method": "montecarlo"}, status=422)
    target = owner("POST", f"{V1}targets/", OGRES)["Location"]
    owner("GET", f"{V1}targets/")
    owner("GET", target)
    owner("PUT", target, {name: OGRES[name] for name in ("name", "points", "side")})
    owner("DELETE", target)


def answered(owner: Ask, question: dict[str, Any]) -> Any:
    """The answer to a question that was asked before, so that the result is there however slow the machine is."""
    asked = owner("POST", f"{V1}simulations/", question).json()
    wait_for(SimulationRun.objects.get(pk=asked["id"]).computation, seconds=300)
    return owner("POST", f"{V1}simulations/", question, Prefer="wait=20")


def events(owner: Ask, nobody: Ask, army: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """An event with two lists: handed in, locked, revealed, paired."""
    packs = nobody("GET", f"{V1}events/packs/").json()
    pack = next(one["pack"] for one in packs if one["system"] == "horus-heresy")
    new = {"system": "horus-heresy", "name": "Friday evening", "pack": pack, "deadline": soon(1), "reveal_at": soon(2)}
    event = owner("POST", f"{V1}events/", new).json()
    address, link = f"{V1}events/{event['id']}/", event["event"]["address"]
    fields = {field["name"]: "Black Shields" for field in pack.get("fields", ())}
    given = [
        nobody("POST", f"{link}submissions/", {"player": player, "share": army["shared"], "fields": fields})
        for player in ("Mara", "Odo")
    ]
    nobody("GET", f"{link}submissions/", status=403)
    ids = [one.json()["submission"]["id"] for one in given]
    owner("POST", f"{address}messages/", {"text": "Doors at six.", "submission": ids[0]})
    nobody("GET", given[0]["Location"])
    owner("PATCH", address, {"name": "Friday evening, second round"})
    for part in (link, f"{link}commitments/"):
        nobody("GET", part)
    for part in (f"{V1}events/", address, f"{address}table/", f"{address}archive/"):
        owner("GET", part)
    with monkeypatch.context() as patched:
        patched.setattr(dispatch, "send", lambda computation_id: True)
        owner("POST", f"{address}pairings/", {"first": ids[0], "second": ids[1]})
    moment = timezone.now() - timedelta(minutes=1)
    Event.objects.update(deadline=moment, reveal_at=moment)
    late = {"player": "Late", "share": army["shared"], "fields": fields}
    nobody("POST", f"{link}submissions/", late, status=409)
    nobody("GET", f"{link}submissions/")
    owner("DELETE", address)


def game_data(administrator: Ask, address: str) -> None:
    """Files are imported, looked at and published; sources are kept. At the address an archive is handed out."""
    releases = f"{V1}releases/"
    started = administrator("POST", f"{releases}?publish=false", {"addresses": [address]})
    import_queue.perform(UUID(started.json()["id"]))
    made = administrator("GET", started["Location"]).json()
    administrator("GET", f"{started['Location']}events/")
    (release_id,) = made["releases"]
    for part in ("", f"{release_id}/", f"{release_id}/changes/"):
        administrator("GET", f"{releases}{part}")
    administrator("POST", f"{releases}{release_id}/publish/")
    changed = release(revision=2)[2]
    started = administrator("POST", f"{releases}?system=invented&file_name={changed.name}", changed.content)
    administrator("DELETE", started["Location"])
    new = {"system": "invented", "name": "community", "origin": address, "every_hours": 24}
    source = administrator("POST", f"{releases}sources/", new)["Location"]
    for part in (f"{releases}sources/", source):
        administrator("GET", part)
    administrator("POST", f"{source}imports/")
    administrator("DELETE", source)


def webhooks(owner: Ask, address: str) -> None:
    """An address is told of things, and what it was told is looked at."""
    new = {"url": address, "happenings": ["list.changed", "run.finished"]}
    hook = owner("POST", f"{V1}webhooks/", new)["Location"]
    for part in (f"{V1}webhooks/", hook):
        owner("GET", part)
    test = owner("POST", f"{hook}test/")["Location"]
    delivering.deliver(Delivery.objects.get(pk=test.rstrip("/").rpartition("/")[2]).pk)
    owner("GET", f"{hook}deliveries/")
    owner("GET", test)
    owner("POST", f"{test}again/")
    owner("POST", f"{hook}secret/")
    owner("PATCH", hook, {"paused": True})
    owner("DELETE", hook)


def repeated(owner: Ask) -> None:
    """A key that is used again for something else."""
    key = str(uuid4())
    owner("POST", f"{V1}targets/", OGRES, Idempotency_Key=key)
    owner("POST", f"{V1}targets/", OGRES | {"name": "Others"}, Idempotency_Key=key, status=422)
