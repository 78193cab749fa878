"""Writes the tables of special rules in docs/matchups.md and docs/battles.md: `make docs-tables`.

They are made of the rows that the simulations ask, so a page cannot say anything else than the figures do.
"""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from armybuilder.engine import systems
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.special_rules import SpecialRule, SpecialRuleTable

DOCS = Path(__file__).parent
GAMES = {
    "Horus Heresy": "horus_heresy",
    "Warhammer 40,000, 6th edition": "wh40k_6th",
    "Warhammer Fantasy, 8th edition": "fantasy_8th",
    "Epic": "epic",
}
BEGIN, END = "<!-- made by `make docs-tables` -->\n", "<!-- end of what is made -->\n"


def main() -> None:
    """Rewrite the pages."""
    for name, page in pages().items():
        (DOCS / name).write_text(page, encoding="utf-8")


def pages() -> Mapping[str, str]:
    """The pages as they have to be, by file name."""
    return {name: _with_table((DOCS / name).read_text(encoding="utf-8"), make) for name, make in TABLES.items()}


def rules_of(folder: str) -> list[SpecialRule]:
    """The rows of a game, by printed name."""
    path = Path(systems.__file__).parent / folder / "combat" / "special_rules.toml"
    rows = tomllib.loads(path.read_text(encoding="utf-8"))
    places = {place for row in rows.values() for place in row.get("counts", ())}
    table = SpecialRuleTable(rows, places, at=str(path))
    return sorted(table.rules.values(), key=lambda rule: rule.name.casefold())


def _with_table(page: str, make: Callable[[], Iterable[str]]) -> str:
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return "".join((before, BEGIN, "\n", *(f"{line}\n" for line in make()), "\n", END, after))


def _of_matchups() -> Iterator[str]:
    yield "| game | in the figures | roughly | not simulated | no part in an attack or a fight |"
    yield "|---|---|---|---|---|"
    for game, folder in GAMES.items():
        rules = rules_of(folder)
        yield _row(
            game,
            _names(rule for rule in rules if rule.status == "modelled"),
            _explained((rule, rule.how) for rule in rules if rule.status == "approximated"),
            _names(rule for rule in rules if rule.status == "not_simulated"),
            _names(rule for rule in rules if rule.status == "no_part"),
        )


def _of_battles() -> Iterator[str]:
    yield "| game | otherwise than in a single fight, roughly | in a single fight only |"
    yield "|---|---|---|"
    for game, folder in GAMES.items():
        rules = rules_of(folder)
        yield _row(
            game,
            _explained((rule, rule.battle_how) for rule in rules if rule.battle == "approximated"),
            _names(rule for rule in rules if rule.battle == "left_out"),
        )


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', '/') or 'none' for cell in cells)} |"


def _name(rule: SpecialRule) -> str:
    """With the mark of one that the rules text does not hold."""
    mark = next((mark for mark in ("[carried]", "[decision]") if mark in rule.source), "")
    return f"{rule.name} {mark}" if mark and rule.is_in_figures else rule.name


def _names(rules: Iterable[SpecialRule]) -> str:
    return ", ".join(map(_name, rules))


def _explained(rules: Iterable[tuple[SpecialRule, Text | None]]) -> str:
    """Names by how roughly they are in it."""
    found: dict[str, list[str]] = {}
    for rule, how in rules:
        found.setdefault(how.en.rstrip(".") if how is not None else "", []).append(_name(rule))
    return "<br>".join(f"{', '.join(names)}: {how[:1].lower()}{how[1:]}" for how, names in found.items())


TABLES: Mapping[str, Callable[[], Iterable[str]]] = {"matchups.md": _of_matchups, "battles.md": _of_battles}
"""By page, what makes its table."""

if __name__ == "__main__":
    main()
