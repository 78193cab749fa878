"""A bot for the API, written from docs/api.md alone; it needs Python 3.11 and nothing else.

usage: bot.py ADDRESS TOKEN COMMAND [ARGUMENT…]      e.g. bot.py http://127.0.0.1:8000 ab_… lists

lists                              one's own lists with their ids
build GAME FACTION POINTS NAME     a new list with what its detachment asks for, or else one unit of each role
repair LIST                        applies what the site proposes, as long as it leaves fewer errors
show LIST                          units, points and verdict
share LIST                         a link that others can read
export LIST FORMAT FILE            the list as text-wtc, pdf, ros, tts …
simulate LIST LINK                 what each unit does to each unit of the list behind a link
picture LIST FILE                  the list as a picture

A token is made under /accounts/tokens/ (scopes: lists:write and simulate).
"""

import json
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

API = "/api/v1/"
TRIES = 5
MOST_REPAIRS = 20
LONGEST_SIMULATION_SECONDS = 120


class Refused(Exception):
    """What the site answered instead: the title and the reason of a problem."""


class Bot:
    """A site and a token."""

    def __init__(self, site: str, token: str) -> None:
        self.site = site.rstrip("/")
        self.token = token

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> tuple[bytes, Mapping[str, str]]:
        """The body and headers of one answer; 429 and 503 are waited for as long as they say.

        Args:
            path: below /api/v1/, or from the root, as `address` members are.
        """
        address = self.site + (path if path.startswith("/") else API + path)
        sent = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        if method == "POST":
            sent["Idempotency-Key"] = str(uuid.uuid4())
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        data = None if body is None else json.dumps(body).encode()
        for attempt in range(TRIES):
            request = urllib.request.Request(address, data=data, headers=sent, method=method)  # noqa: S310
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
                    return answer.read(), answer.headers
            except urllib.error.HTTPError as error:
                if error.code not in (429, 503) or attempt == TRIES - 1:
                    problem = json.load(error)
                    raise Refused(f"{problem['title']}: {problem['detail']}") from None
                time.sleep(float(error.headers.get("Retry-After", 1)))
        raise AssertionError("the last try returns or raises")

    def json(self, method: str, path: str, body: object = None, **headers: str) -> Any:
        """The answer as values."""
        return json.loads(self.ask(method, path, body, **headers)[0])

    def lists(self) -> str:
        """A line for each list, page by page."""
        lines, page = [], "lists/?ordering=name"
        while page:
            answer = self.json("GET", page)
            lines += [f"{row['id']}  {row['verdict']:<11} {row['name']}" for row in answer["results"]]
            page = answer["next"] and answer["next"].removeprefix(self.site)
        return "\n".join(lines) or "No lists yet."

    def build(self, game: str, faction: str, points: str, name: str) -> str:
        """Make a list with the first unit on offer in every role, as often as the detachment asks for it."""
        catalogue = self.json("GET", f"systems/{game}/factions/{faction}/")["catalogue_id"]
        new = {"system": game, "name": name, "catalogue_id": catalogue, "points_limit": int(points)}
        army = self.json("POST", "lists/", new)
        detachment = army["document"]["roster"]["forces"][0]["id"]
        offers = self.json("GET", f"lists/{army['id']}/offers/?under={detachment}")
        first: dict[str, Any] = {}
        for offer in offers:
            if offer["is"] == "offer" and offer["role"] and not offer["hidden"]:
                first.setdefault(offer["category"]["en"], offer)
        roles = self.json("GET", f"lists/{army['id']}/?fields=sheet")["sheet"]["detachments"][0]["roles"]
        lacking = {role["name"]: max(0, role["minimum"] - role["current"]) for role in roles}
        edits = [
            {"edit": "add_unit", "force_id": detachment, "entry_id": offer["entry_id"]}
            for role, offer in first.items()
            for _ in range(lacking.get(role, 0) if any(lacking.values()) else 1)
        ]
        if not edits:
            raise Refused(f"{faction} has no units for what its detachment asks for")
        self.json("POST", f"lists/{army['id']}/edits/", edits, If_Match='"1"')
        return f"{army['id']}  {name}"

    def repair(self, list_id: str) -> str:
        """Apply proposals one after the other; what was done, and the verdict."""
        done: list[str] = []
        report = self.json("POST", f"lists/{list_id}/check/")
        while len(done) < MOST_REPAIRS and (repair := self._repair_of(list_id, report)) is not None:
            revision = f'"{report["revision"]}"'  # refused with 409 if somebody has changed the list meanwhile
            self.json("POST", f"lists/{list_id}/edits/", repair["edits"], If_Match=revision)
            done.append(repair["does"]["en"])
            report = self.json("POST", f"lists/{list_id}/check/")
        return "\n".join([*done, *(f"still: {one['message']['en']}" for one in _errors(report)), report["verdict"]])

    def _repair_of(self, list_id: str, report: dict[str, Any]) -> dict[str, Any] | None:
        for finding in _errors(report):
            about = {name: finding[name] for name in ("rule", "at") if finding[name]}
            found = self.json("GET", f"lists/{list_id}/repairs/?{urllib.parse.urlencode(about)}")
            for repair in found["repairs"]:
                if len(_errors({"findings": repair["caused"]})) < len(_errors({"findings": repair["settled"]})):
                    return dict(repair)
        return None

    def show(self, list_id: str) -> str:
        """The sheet: detachments, units, verdict and what is wrong."""
        sheet = self.json("GET", f"lists/{list_id}/?fields=sheet")["sheet"]
        lines = [f"{sheet['name']} ({sheet['game']}), {sheet['points']} of {sheet['limit']}: {sheet['verdict']}"]
        for detachment in sheet["detachments"]:
            lines.append(f"{detachment['name']}, {detachment['faction']}")
            lines += [f"  {unit['name']} {unit['points']}" for role in detachment["roles"] for unit in role["units"]]
        return "\n".join([*lines, *(finding["message"] for finding in sheet["findings"])])

    def share(self, list_id: str) -> str:
        """A new link."""
        return str(self.json("POST", f"lists/{list_id}/share-links/", {})["url"])

    def export(self, list_id: str, export_format: str, file: str) -> str:
        """A file in a format that the list has; the message names those there are where it has not."""
        formats = {row["id"]: row["address"] for row in self.json("GET", f"lists/{list_id}/exports/")}
        if export_format not in formats:
            raise Refused(f"Formats are {', '.join(formats)}")
        body, headers = self.ask("GET", formats[export_format])
        Path(file).write_bytes(body)
        return f"{file}: {headers['Content-Type']}"

    def simulate(self, list_id: str, link: str) -> str:
        """A line for each attacker with the losses it causes, unit by unit."""
        token = link.rstrip("/").rpartition("/")[2]
        question = {"kind": "matrix", "attacker": {"list": list_id}, "defender": {"share": token}}
        _, headers = self.ask("POST", "simulations/", question)
        address, end = headers["Location"], time.monotonic() + LONGEST_SIMULATION_SECONDS
        while (run := self.json("GET", address))["state"] in ("queued", "running"):
            if time.monotonic() > end:
                raise Refused(f"The simulation takes long; it is at {self.site}{address}")
            time.sleep(0.5)
        if run["state"] != "done":
            raise Refused(f"The simulation has {run['state']}")
        result = run["result"]
        names = [unit["name"] for unit in result["defender"]["units"]]
        lines = []
        for unit, row in zip(result["attacker"]["units"], result["forth"], strict=True):
            told = [
                f"{name} {cell['models_slain']:.2f}"
                for name, cell in zip(names, row, strict=True)
                if cell.get("models_slain")  # an attack that cannot be made has none: {"impossible": true}
            ]
            lines.append(f"{unit['name']} kills: {', '.join(told) or 'nothing'}")
        return "\n".join(lines)

    def picture(self, list_id: str, file: str) -> str:
        """The list as PNG."""
        return self.export(list_id, "png", file)


COMMANDS = ("lists", "build", "repair", "show", "share", "export", "simulate", "picture")


def _errors(report: dict[str, Any]) -> list[dict[str, Any]]:
    return [finding for finding in report["findings"] if finding["severity"] == "error"]


def main(site: str, token: str, command: str, *arguments: str) -> str:
    """What a command says. Raises Refused, and TypeError for too few arguments or too many."""
    if command not in COMMANDS:
        raise Refused(f"Commands are {', '.join(COMMANDS)}")
    said: str = getattr(Bot(site, token), command)(*arguments)
    return said


if __name__ == "__main__":
    try:
        print(main(*sys.argv[1:]))
    except TypeError:
        sys.exit(__doc__)
    except Refused as refusal:
        sys.exit(f"{refusal}.".replace("..", "."))
