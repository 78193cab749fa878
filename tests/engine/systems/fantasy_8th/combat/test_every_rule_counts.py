"""Every special rule whose row says that it counts changes a number: the same document with and without it."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal

import msgspec
import pytest

from armybuilder.engine.combat.battles.forces import Unit
from armybuilder.engine.systems.fantasy_8th.combat import battle
from armybuilder.engine.systems.fantasy_8th.combat.fighter import Fighter
from armybuilder.engine.systems.fantasy_8th.combat.special_rules import PLACES, TABLE, is_known, read
from armybuilder.engine.systems.fantasy_8th.matchup import Side
from tests.engine.systems.fantasy_8th.combat.builders import (
    Json,
    make_clash,
    make_group,
    make_hero,
    make_melee,
    make_side,
    metric,
    outcome,
)


@dataclass(frozen=True)
class Pair:
    """A document that a rule can stand in.

    Attributes:
        make: the document with these rules in the place that counts.
        name: of the number that changes; more: whether it rises with the rule.
        text: the rule as the document writes it, when it needs more than its name.
    """

    make: Callable[..., Json]
    name: str = "unsaved_wounds"
    more: bool = True
    text: str | None = None


def five(*rules: str, **facts: object) -> Json:
    """Five warriors abreast."""
    return make_side(make_group(5, *rules, **facts), width=5)  # type: ignore[arg-type]


def troop(*rules: str, **facts: object) -> Json:
    """A target of twenty."""
    return make_side(make_group(20, *rules, **facts), width=5)  # type: ignore[arg-type]


def striking(attacker: Json | None = None, defender: Json | None = None, **facts: object) -> Callable[..., Json]:
    """The rule is the attacker's, who strikes one round."""
    side = attacker or {}
    return lambda *rules: make_melee(five(*rules, **facts) | side, defender or troop(profile={"Sv": "5+"}))


def struck(attacker: Json | None = None, **facts: object) -> Callable[..., Json]:
    """The rule is that of the target of five blows."""
    return lambda *rules: make_melee(attacker or five(), troop(*rules, **facts))


def fighting(attacker: Json | None = None, defender: Json | None = None, **facts: object) -> Callable[..., Json]:
    """The rule is the attacker's in a whole round."""
    side = attacker or {}
    return lambda *rules: make_clash(
        "combat_round", attacker=five(*rules, **facts) | side, defender=defender or troop(profile={"I": 2})
    )


def beaten(**facts: object) -> Callable[..., Json]:
    """The rule is that of the loser of a whole round."""
    strong = make_side(make_group(10, profile={"A": 3, "WS": 6, "S": 5}), width=5, charged=True)
    return lambda *rules: make_clash("combat_round", attacker=strong, defender=troop(*rules, **facts))


def shooting(conditions: Json | None = None, side: Json | None = None, **facts: object) -> Callable[..., Json]:
    """The rule is the archers'."""
    return lambda *rules: make_clash(
        "shooting",
        attacker=make_side(make_group(10, *rules, **({"weapons": ["short bow"]} | facts)), width=5) | (side or {}),
        defender=troop() | ({"cover": "soft"} if "cover" in (conditions or {}) else {}),
        conditions={key: value for key, value in (conditions or {}).items() if key != "cover"},
    )


def shot(side: Json | None = None, **facts: object) -> Callable[..., Json]:
    """The rule is the target's."""
    archers = make_side(make_group(10, weapons=["short bow"]), width=5)
    return lambda *rules: make_clash("shooting", attacker=archers, defender=troop(*rules, **facts) | (side or {}))


def unit(kind: str, name: str, **members: object) -> Callable[..., Json]:
    """The rule is that of the only unit of a test."""
    facts = members.pop("facts", {})
    return lambda *rules: make_clash(
        kind,
        unit=make_side(make_group(10, *rules, **facts), width=5),
        **members,  # type: ignore[arg-type]
    )


def weapon(*rules: str, **profile: object) -> list[Json]:
    """A bow with rules of its own."""
    return [{"name": "Odd bow", "range": 24, "S": 4, "rules": list(rules)} | profile]


SPELL = make_clash("spell", spell="Banishment", caster={"wizards": 3})

PAIRS: Mapping[str, Pair] = {
    "always_strikes_first": Pair(striking()),
    "always_strikes_last": Pair(fighting(profile={"I": 9}), "wounds_lost", more=False),
    "armour_piercing": Pair(striking()),
    "breath_weapon": Pair(fighting(), "wounds_lost", text="Breath Weapon (S4)"),
    "devastating_charge": Pair(striking({"charged": True})),
    "ethereal": Pair(struck(), more=False),
    "extra_attack": Pair(striking()),
    "fear": Pair(struck(five(profile={"WS": 4})), more=False),
    "fight_in_extra_ranks": Pair(
        lambda *rules: make_melee(make_side(make_group(15, *rules), width=5), troop()), text="Fight in Extra Ranks (1)"
    ),
    "flaming_attacks": Pair(striking(defender=troop("Regeneration (4+)"))),
    "flammable": Pair(struck(five("Flaming Attacks"), profile={"W": 3}), "wounds_lost"),
    "frenzy": Pair(striking()),
    "fly": Pair(unit("charge", "p_success", conditions={"distance": 15}), "p_success"),
    "hover": Pair(unit("charge", "p_success", conditions={"distance": 15}), "p_success"),
    "hatred": Pair(striking()),
    "eternal_hatred": Pair(lambda *rules: striking()(*rules) | {"conditions": {"combat_round": 2}}),
    "immune_to_psychology": Pair(unit("leadership_test", "p_pass", conditions={"test": "panic"}), "p_pass"),
    "ignores_cover": Pair(shooting({"cover": True})),
    "impact_hits": Pair(fighting({"charged": True}), "wounds_lost", text="Impact Hits (D3)"),
    "killing_blow": Pair(striking()),
    "heroic_killing_blow": Pair(
        striking(defender=make_side(make_group(1, profile={"W": 6}, troop_type="monster"))), "wounds_lost"
    ),
    "large_target": Pair(shot({"cover": "hard"})),
    "magic_resistance": Pair(
        lambda *rules: make_clash("spell", spell="Fireball", defender=troop(*rules)),
        more=False,
        text="Magic Resistance (2)",
    ),
    "monsters_and_handlers": Pair(
        lambda *rules: make_clash(
            "combat_round",
            attacker=troop(),
            defender=make_side(make_group(1, *rules, handlers=3, profile={"W": 5, "T": 4}, troop_type="monster")),
        ),
        "wounds_lost",
        more=False,
    ),
    "move_or_fire": Pair(shooting(side={"moved": True}), more=False),
    "multiple_shots": Pair(shooting({"shooting_mode": "multiple_shots"}), text="Multiple Shots (3)"),
    "multiple_wounds": Pair(
        striking(defender=make_side(make_group(3, profile={"W": 4}))), "wounds_lost", text="Multiple Wounds (D3)"
    ),
    "poisoned_attacks": Pair(striking()),
    "quick_to_fire": Pair(shooting(side={"moved": True})),
    "random_attacks": Pair(striking(), text="Random Attacks (D6)"),
    "random_movement": Pair(
        unit("charge", "p_success", conditions={"distance": 10}), "p_success", more=False, text="Random Movement (2D6)"
    ),
    "regeneration": Pair(struck(), more=False, text="Regeneration (5+)"),
    "requires_two_hands": Pair(struck(armour=["light armour", "shield"])),
    "scaly_skin": Pair(struck(), more=False, text="Scaly Skin (5+)"),
    "slow_to_fire": Pair(shooting({"stand_and_shoot": True}), more=False),
    "rank_penetration": Pair(
        lambda *rules: make_clash(
            "shooting",
            attacker=make_side(make_group(1, *rules, weapons=[{"name": "bolt", "range": 48, "S": 6}])),
            defender=troop(),
        )
    ),
    "sniper": Pair(
        lambda *rules: make_clash(
            "shooting",
            attacker=make_side(make_group(5, *rules, weapons=["short bow"]), width=5),
            defender=make_side(make_hero(profile={"W": 3})),
        ),
        more=False,
    ),
    "stomp": Pair(fighting(), "wounds_lost"),
    "thunderstomp": Pair(fighting(), "wounds_lost"),
    "strider": Pair(
        unit("dangerous_terrain", "wounds", facts={"troop_type": "cavalry"}, conditions={"terrain": "forest"}),
        "wounds",
        more=False,
    ),
    "stubborn": Pair(beaten(), "p_defender_breaks", more=False),
    "stupidity": Pair(unit("charge", "p_success", conditions={"distance": 10}), "p_success", more=False),
    "swiftstride": Pair(unit("charge", "p_success", conditions={"distance": 12}), "p_success"),
    "skirmishers": Pair(shot(), more=False),
    "terror": Pair(fighting({"charged": True}, troop(profile={"WS": 4})), "attacker_wounds_lost", more=False),
    "unbreakable": Pair(beaten(), "p_defender_breaks", more=False),
    "unstable": Pair(beaten(profile={"T": 5}), "p_destroyed"),
    "volley_fire": Pair(
        lambda *rules: make_clash(
            "shooting",
            attacker=make_side(make_group(30, *rules, weapons=["sling"]), width=5),
            defender=troop(),
            conditions={"shooting_mode": "volley_fire"},
        )
    ),
    "ambushers": Pair(unit("ambush", "p_arrived", conditions={"by_end_of_turn": 2}), "p_arrived", more=False),
    "parry": Pair(struck(), more=False),
    "magical_attacks": Pair(striking(defender=troop("Ethereal"))),
    "no_armour_saves": Pair(striking()),
    "scythes": Pair(
        lambda *rules: make_clash(
            "impact_hits",
            attacker=make_side(make_group(1, *rules, troop_type="chariot", profile={"S": 5}), charged=True),
            defender=troop(),
        ),
        "hits",
    ),
    "undead": Pair(lambda *rules: SPELL | {"defender": troop(*rules)}),
    "daemon": Pair(lambda *rules: SPELL | {"defender": troop(*rules)}),
    "poisoned_blows": Pair(striking()),
    "choppas": Pair(striking()),
    "murderous_prowess": Pair(striking()),
    "predatory_fighter": Pair(striking()),
    "cold_blooded": Pair(unit("leadership_test", "p_pass", conditions={"test": "panic"}), "p_pass"),
    "strength_in_numbers": Pair(unit("leadership_test", "p_pass", conditions={"test": "panic"}), "p_pass"),
    "daemonic_instability": Pair(beaten(), "p_defender_breaks", more=False),
    "slayer": Pair(striking(defender=troop(profile={"T": 6}))),
    "primal_fury": Pair(lambda *rules: striking()(*rules) | {"conditions": {"combat_round": 2}}),
}


def text_of(slug: str) -> str:
    """The rule as its pair writes it."""
    return PAIRS[slug].text or TABLE.rules[slug].name


def test_every_known_rule_has_its_pair() -> None:
    own = {slug for slug in TABLE.in_figures if TABLE.rules[slug].stands_for is None}
    assert PAIRS.keys() | IN_BATTLES.keys() == own
    assert {slug for slug in own if TABLE.rules[slug].counts_in("moves")} <= IN_BATTLES.keys()


def stands(*rules: str, **facts: object) -> Unit:
    """A unit with these rules on the table of a whole battle."""
    side = msgspec.convert(make_side(make_group(10, *rules, **facts), width=5), Side)  # type: ignore[arg-type]
    return battle.unit(battle.ready(Fighter(unit="u", name="Unit", points=Decimal(100), side=side)))


IN_BATTLES: Mapping[str, tuple[Unit, Unit]] = {
    "fast_cavalry": (stands("Fast Cavalry", weapons=["short bow"]), stands(weapons=["short bow"])),
    "fly": (stands("Fly"), stands()),
    "hover": (stands("Fly"), stands("Hover")),
    "skirmishers": (stands("Skirmishers", weapons=["short bow"]), stands(weapons=["short bow"])),
    "random_movement": (stands(), stands("Random Movement (D6)")),
    "stupidity": (stands(), stands("Stupidity")),
}
"""Rules that count when a unit moves about: the quicker unit first."""


@pytest.mark.parametrize("slug", IN_BATTLES)
def test_a_unit_of_a_battle_is_slower(slug: str) -> None:
    quick, slow = IN_BATTLES[slug]
    assert quick.move > slow.move


def test_handlers_and_breath_in_a_battle() -> None:
    beast = {"troop_type": "monster", "profile": {"W": 5, "T": 5}, "handlers": 3}
    assert stands("Monsters and Handlers", **beast).wounds[0] == 5  # ten of them have no handlers of their own
    alone = make_side(make_group(1, "Monsters and Handlers", "Breath Weapon (S4)", **beast))  # type: ignore[arg-type]
    plain = make_side(make_group(1, **beast))  # type: ignore[arg-type]
    fighters = [
        battle.ready(Fighter(unit="u", name="U", points=Decimal(9), side=msgspec.convert(side, Side)))
        for side in (alone, plain)
    ]
    assert [battle.unit(one).wounds for one in fighters] == [(7,), (5,)]
    foe = battle.ready(Fighter(unit="f", name="F", points=Decimal(9), side=msgspec.convert(troop(), Side)))
    breathing, not_so = (len(battle.blows(one, foe, charging=True)) for one in fighters)
    assert breathing == not_so + 1
    assert len(battle.blows(fighters[0], foe, charging=False)) == len(battle.blows(fighters[1], foe, charging=False))


@pytest.mark.parametrize("slug", PAIRS)
def test_a_number_changes_when_the_rule_goes(slug: str) -> None:
    pair = PAIRS[slug]
    with_rule, without = outcome(pair.make(text_of(slug))), outcome(pair.make())
    change = with_rule.metrics[pair.name] - without.metrics[pair.name]
    assert change > 1e-9 if pair.more else change < -1e-9, (pair.name, change)
    assert text_of(slug) in with_rule.modelled or text_of(slug) in {item.rule for item in with_rule.approximated}
    assert not with_rule.not_simulated


@pytest.mark.parametrize("slug", TABLE.rules)
def test_every_spelling_is_understood(slug: str) -> None:
    row = TABLE.rules[slug]
    for name in (row.name, *row.aliases):
        known = (row.stands_for or slug, row.value) if row.is_in_figures else (None, None)
        assert read(name) == known
        assert is_known(name)


def test_every_place_has_its_rules() -> None:
    assert {place for row in TABLE.rules.values() for place in row.counts} == PLACES


@pytest.mark.parametrize(
    "text", ["3" * 1200 + "a", "Fear" * 60, "(" * 900, "x 3" * 300, "Fear " + " " * 5000 + "x", "-" * 50_000]
)
def test_a_text_too_long_for_a_rule_is_unknown_at_once(text: str) -> None:
    started = time.process_time()
    for _ in range(100):
        assert read(text).slug is None
        assert not is_known(text)
    assert time.process_time() - started < 0.5


@pytest.mark.parametrize("filling", ["3", "(", "( ", " ", "x ", "(BRB-", "3D6+", ")"])
def test_the_longest_rules_are_read_at_once(filling: str) -> None:
    texts = [f"{filling * 300}{end}"[:200] for end in map(str, range(50))]
    started = time.process_time()
    for number, text in enumerate(texts):
        read(f"{number}{text}"[:200])
    assert time.process_time() - started < 0.5


def test_a_rule_with_a_footnote_is_not_simulated() -> None:
    assert read("Quick to Fire*").slug is None
    assert not is_known("*Random Attacks (2D6) (BRB-74)")
    assert read("Regeneration (*)") == ("regeneration", "*")


@pytest.mark.parametrize(
    ("text", "slug", "value"),
    [
        ("Fight in Extra Ranks (BRB-69)", "fight_in_extra_ranks", None),
        ("Multiple Wounds (D3)(BRB-73)", "multiple_wounds", "D3"),
        ("Multiple Shots (4) (BRB-73)(FAQ'ed)", "multiple_shots", "4"),
        ("Natural Armour (5+)", "scaly_skin", "5+"),
        ("No Armour Saves allowed.", "no_armour_saves", None),
    ],
)
def test_the_communitys_remarks_are_no_values(text: str, slug: str, value: str | None) -> None:
    assert (read(text).slug, read(text).value) == (slug, value)


NEAR = {"distance": 6}

MECHANICS: Mapping[str, tuple[Json, Json, str]] = {
    "horde": (
        make_melee(make_side(make_group(30), width=10), troop()),
        make_melee(make_side(make_group(30), width=9), troop()), "unsaved_wounds",
    ),
    "inspiring presence": (
        make_clash("leadership_test", unit=five(), conditions={"general": NEAR | {"Ld": 9}}),
        make_clash("leadership_test", unit=five()), "p_pass",
    ),
    "hold your ground": (
        make_clash("leadership_test", unit=five(), conditions={"army_standard": NEAR}),
        make_clash("leadership_test", unit=five(), conditions={"army_standard": {"distance": 13}}), "p_pass",
    ),
    "steadfast": (
        make_clash("break_test", unit=troop(), enemy=five(), conditions={"lost_combat_by": 3}),
        make_clash("break_test", unit=troop(), enemy=troop(), conditions={"lost_combat_by": 3}), "p_pass",
    ),
    "insane courage": (
        make_clash("break_test", unit=five(profile={"Ld": 4}), conditions={"lost_combat_by": 9}),
        make_clash("leadership_test", unit=five(profile={"Ld": 1})), "p_pass",
    ),
    "look out, sir": (
        make_clash("look_out_sir", unit=make_side(make_hero())),
        make_clash("look_out_sir", unit=make_side(make_group(5), make_hero())), "p_hit_on_character",
    ),
    "swarm": (
        make_clash("break_test", unit=troop(troop_type="swarm"), conditions={"lost_combat_by": 3}),
        make_clash("break_test", unit=troop(), conditions={"lost_combat_by": 3}), "p_pass",
    ),
}  # fmt: skip
"""Rules without a name in the unit's list: a document where they hold, one where they do not, and what rises."""


@pytest.mark.parametrize("rule", MECHANICS)
def test_rules_of_the_table_count(rule: str) -> None:
    holds, not_so, name = MECHANICS[rule]
    assert metric(holds, name) > metric(not_so, name) + 1e-9
