"""What a simulated player does; `bench.players` starts locust, which plays it."""

import json
import os
import random
from itertools import cycle
from pathlib import Path
from typing import Any

from locust import FastHttpUser, between, events, task

FACTS = json.loads(Path(os.environ["PLAYERS_FILE"]).read_text())
"""`players` (name, token), `password`, `catalogue`, `units`, `shared` (token of a link), `seconds_between`, `walks`
(everything once, then it is over), `told` (the file for what was met)."""

_names = cycle(FACTS["players"])

UNITS_OF_A_LIST = 12
LINKS_OF_A_LIST = 10


class Player(FastHttpUser):
    """Signs in, begins a list, and then browses, builds, checks, shares, simulates and exports with pauses."""

    wait_time = between(*FACTS["seconds_between"])
    network_timeout = connection_timeout = 60.0

    def on_start(self) -> None:
        """The site's sign-in form, as a browser sends it, and the first list."""
        self.name, token = next(_names)
        self.bearer = {"Authorization": f"Bearer {token}"}
        self.dice = random.Random(self.name)
        page = self.client.get("/accounts/sign-in/", name="page: sign in")
        form = {"username": self.name, "password": FACTS["password"], "csrfmiddlewaretoken": csrf_token(page.text)}
        self.client.post("/accounts/sign-in/", data=form, name="page: sign in, sent")
        self.begin_list()
        if FACTS["walks"]:
            for action in dict.fromkeys(self.tasks):
                action(self)
            self.environment.runner.quit()

    def api(self, method: str, path: str, name: str, body: object = None, **headers: str) -> Any:
        """A request of the API; its answer as JSON, None when it was refused (and counted as such)."""
        sent = self.bearer | headers
        with self.client.request(
            method, f"/api/v1/{path}", name=f"API: {name}", json=body, headers=sent, catch_response=True
        ) as answer:
            if answer.status_code >= 400 or not answer.status_code:
                answer.failure(f"{answer.status_code}: {(answer.text or '')[:200]}")
                return None
            return answer.json() if "json" in answer.headers.get("Content-Type", "") else answer.text

    def begin_list(self) -> None:
        """A new list of no unit yet."""
        wanted = {
            "system": "horus-heresy",
            "name": "Speartip",
            "catalogue_id": FACTS["catalogue"],
            "points_limit": 2000,
            "allegiance": "traitor",
        }
        made = self.api("POST", "lists/", "new list", wanted)
        self.links = self.units = 0
        self.list_id = made["id"] if made else ""
        self.force = made["document"]["roster"]["forces"][0]["id"] if made else ""

    @task(6)
    def build(self) -> None:
        """A unit is added; a list that is full is left for a new one."""
        if not self.list_id or self.units >= UNITS_OF_A_LIST:
            self.begin_list()
            return
        edit = {"edit": "add_unit", "force_id": self.force, "entry_id": self.dice.choice(FACTS["units"])}
        self.api("POST", f"lists/{self.list_id}/edits/", "edit", edit, **{"If-Match": "*"})
        self.units += 1

    @task(2)
    def look_at_the_list(self) -> None:
        """The builder's page."""
        if self.list_id:
            self.client.get(f"/lists/{self.list_id}/", name="page: builder")

    @task(2)
    def shelf(self) -> None:
        """My lists."""
        self.client.get("/lists/", name="page: my lists")

    @task(1)
    def home(self) -> None:
        """The start page."""
        self.client.get("/", name="page: home")

    @task(2)
    def browse(self) -> None:
        """Units by a word."""
        word = self.dice.choice(("squad", "predator", "praetor", "rhino"))
        self.client.get(f"/units/?system=horus-heresy&q={word}", name="page: units")
        self.api("GET", f"systems/horus-heresy/units/?search={word}", "units")

    @task(2)
    def check(self) -> None:
        """The verdict."""
        if self.list_id:
            self.api("POST", f"lists/{self.list_id}/check/", "check")

    @task(1)
    def share(self) -> None:
        """A link, opened by somebody; later the same link again."""
        if self.list_id and self.links < LINKS_OF_A_LIST:
            self.links += 1
            self.api("POST", f"lists/{self.list_id}/share-links/", "share", {})
        self.client.get(f"/s/{FACTS['shared']}/", name="page: shared list")

    @task(1)
    def export(self) -> None:
        """A text, and the file."""
        if self.list_id:
            for format_id in ("plain", "json"):
                self.api("GET", f"lists/{self.list_id}/exports/{format_id}/", f"export, {format_id}")

    @task(1)
    def simulate(self) -> None:
        """A question that nobody asked before, waited for; 0.1 s of dice."""
        enemies = [{"name": "Ork", "attribute": "strength", "value": value} for value in (4, 5, 6)]
        question = {
            "system": "relic",
            "kind": "battle_sequence",
            "method": "montecarlo",
            "trials": 20_000,
            "seed": self.dice.randrange(2**31),
            "hero": {"attributes": {"strength": 5, "willpower": 3, "cunning": 3}, "life": 40},
            "battles": [{"enemies": [enemy]} for enemy in enemies],
        }
        self.api("POST", "simulations/", "simulate and wait", question, Prefer="wait=20")


def csrf_token(page: str) -> str:
    """The token of the first form of a page."""
    return page.split('name="csrfmiddlewaretoken" value="', 1)[1].split('"', 1)[0]


@events.quitting.add_listener
def _tell(environment: Any, **_: Any) -> None:
    """Leave what was met where `bench.players` looks for it."""
    met = [*environment.stats.entries.values(), environment.stats.total]
    rows = [
        [one.name, one.num_requests, one.num_failures]
        + [round(one.get_response_time_percentile(share) or 0) for share in (0.5, 0.95, 0.99)]
        for one in sorted(met, key=lambda one: (one is environment.stats.total, one.name))
    ]
    errors = [f"{error.occurrences} × {error.name}: {error.error}" for error in environment.stats.errors.values()]
    Path(FACTS["told"]).write_text(json.dumps({"rows": rows, "errors": errors}))
