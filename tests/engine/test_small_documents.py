"""A small document costs little, whatever number stands in it: it is answered or refused within seconds and megabytes.

Every number of documents of every kind and game is set far out, one at a time, several and all counts together; every
list is made long, and rules stand beside each other that no unit has together.
A child process with the law's memory and a clock of its own answers: what takes longer fails the test.
"""

import json
import random
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.breadth import share

ROOT = Path(__file__).resolve().parents[2]

MEGABYTES = 200
"""Beyond what Python, NumPy and the engine take when they have been imported."""
SECONDS = 2.0
"""Of processor time, for one document, where a processor counts to twenty million within a second."""

PROGRAM = """
import json, resource, signal, sys, time
from armybuilder.engine.check import check
from armybuilder.engine.documents import parse_army, parse_matchup
from armybuilder.engine.errors import GameError
from armybuilder.engine.simulate import simulate
from armybuilder.engine.systems.game import GAMES

def taken():
    return int(next(line for line in open("/proc/self/status") if line.startswith("VmData")).split()[1]) * 1024

def too_slow(*_):
    raise TimeoutError

def second():  # of a processor of everyday speed, in this one's, which may be slower or shared
    before = time.process_time()
    for _ in range(20_000_000):
        pass
    return max(1.0, time.process_time() - before)

seconds, megabytes = float(sys.argv[1]) * second(), int(sys.argv[2])
for game in GAMES.values():
    game.simulations
resource.setrlimit(resource.RLIMIT_DATA, (taken() + megabytes * 2**20,) * 2)
signal.signal(signal.SIGPROF, too_slow)
for line in sys.stdin:
    document = json.loads(line)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        if "kind" in document:
            matchup = parse_matchup(document)
            GAMES[matchup.system].simulations[matchup.kind].guard(matchup)
            simulate(matchup)
        else:
            check(parse_army(document))
        answer = "answered"
    except GameError as refused:
        answer = "refused"
    except (TimeoutError, MemoryError) as beyond:
        answer = type(beyond).__name__
    except Exception as fault:
        answer = repr(fault)[:200]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    print(answer, flush=True)
"""


def documents(folder: Path, game: str) -> list[Any]:
    """The longest exact document of every kind of a game, and its longest army."""
    found: dict[str, Any] = {}
    for kind in ("simulate", "check"):
        for line in (folder / "contracts" / "cases" / kind / f"{game}.jsonl").read_text().splitlines():
            document = json.loads(line)["document"]
            name = document.get("kind", "army")
            if document.get("method") != "montecarlo" and len(line) > len(json.dumps(found.get(name, ""))):
                found[name] = document
    return list(found.values())


def places(node: Any, kinds: type | tuple[type, ...], at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where such values stand."""
    if isinstance(node, dict | list):
        inner = node.items() if isinstance(node, dict) else enumerate(node)
        return [place for key, value in inner for place in places(value, kinds, (*at, key))]
    return [at] if isinstance(node, kinds) and not isinstance(node, bool) else []


def changed(document: Any, put: dict[tuple[Any, ...], Any]) -> str:
    """The document with other values, as JSON."""
    copy = json.loads(json.dumps(document))
    for place, value in put.items():
        inner = copy
        for key in place[:-1]:
            inner = inner[key]
        inner[place[-1]] = value
    return json.dumps(copy)


def lists(node: Any, at: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], list[Any]]]:
    """Lists that hold something, and where they stand."""
    if not isinstance(node, dict | list):
        return []
    inner = node.items() if isinstance(node, dict) else enumerate(node)
    return [(at, node)] * (isinstance(node, list) and len(node) > 0) + [
        found for key, value in inner for found in lists(value, (*at, key))
    ]


def numbered(item: Any, number: int) -> Any:
    """An item of a list with a name of its own."""
    if isinstance(item, dict):
        return item | {key: f"{item[key]} {number}" for key in ("id", "name") if isinstance(item.get(key), str)}
    return f"{item} {number}" if isinstance(item, str) else item


def rule_names(game: str) -> list[str]:
    """The names of the special rules that the combat of a game knows, those with a number with several."""
    file = ROOT / "armybuilder" / "engine" / "systems" / game.replace("-", "_") / "combat" / "special_rules.toml"
    if not file.is_file():
        return []
    plain = [str(row["name"]) for row in tomllib.loads(file.read_text(encoding="utf-8")).values() if "name" in row]
    return plain + [
        f"{name} ({number})" for name in plain for number in ("1", "6", "4+", "2D6", "99999999", "9999D9999")
    ]


def ruled(document: Any, names: list[str]) -> list[str]:
    """All lists of rules long at once, whatever stands in them, some with large numbers of models too."""
    places_of_rules = [at for at, _ in lists(document) if at and at[-1] == "rules"] if names else []
    counts = [place for place in places(document, int) if place[-1] in ("count", "number", "size")]
    chance, found = random.Random(len(names)), []
    for length in (5, 15, 30) * 10:
        put: dict[tuple[Any, ...], Any] = {at: chance.sample(names, min(length, len(names))) for at in places_of_rules}
        put |= dict.fromkeys(counts, chance.choice((20, 60, 200))) if chance.random() < 0.5 else {}
        if put:
            found.append(changed(document, put))
    return found


def variants(document: Any) -> list[str]:
    """One number or text at a time far out, several numbers, and all counts together large, one list at a time long."""
    numbers, texts = places(document, (int, float)), places(document, str)
    counts = [place for place in numbers if place[-1] in ("count", "under_template", "number", "size")]
    far = [changed(document, {place: value}) for place in numbers for value in (99, 10**9)]
    long = [changed(document, {place: value}) for place in texts for value in ("3" * 20_000 + "x", "-" * 20_000)]
    large = [changed(document, dict.fromkeys(counts, value)) for value in (30, 99, 300, 900)] if counts else []
    chance = random.Random(len(numbers))
    some = [
        dict.fromkeys(chance.sample(numbers, min(len(numbers), chance.randint(2, 5))), value)
        for value in (20, 99, 200, 500) * 10
    ]
    several = [changed(document, put) for put in some if put]
    many = [
        changed(document, {at: [numbered(item, n) if is_named else item for n, item in enumerate(items * 100)][:100]})
        for at, items in lists(document)
        for is_named in (False, True)
    ]
    return far + long + large + several + many


@pytest.mark.shared
@pytest.mark.long
@pytest.mark.parametrize("game", ["epic", "fantasy-8th", "horus-heresy", "relic", "wh40k-6th"])
def test_every_number_and_text_far_out_costs_little(shared: Path, game: str) -> None:
    names = rule_names(game)
    tried = [
        variant
        for document in documents(shared, game)
        for variant in share((*variants(document), *ruled(document, names)), of=4)
    ]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(SECONDS), str(MEGABYTES)],
        cwd=ROOT,
        input="\n".join(tried),
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    answers = done.stdout.splitlines()
    assert len(answers) == len(tried), (len(answers), done.stderr[-2000:])
    beyond = [(answer, text[:1500]) for answer, text in zip(answers, tried, strict=True) if answer not in FINE]
    assert beyond == [], f"{len(beyond)} of {len(tried)}"


FINE = ("answered", "refused")
