"""Dice against exact numbers for every kind; laws; refusals."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armybuilder.engine.documents import parse_matchup
from armybuilder.engine.errors import BadDocument, LimitExceeded
from armybuilder.engine.simulate import combined, document_of
from armybuilder.engine.systems.fantasy_8th.combat.simulations import KINDS
from tests.engine.systems.fantasy_8th.combat.builders import (
    Json,
    make_clash,
    make_group,
    make_hero,
    make_melee,
    make_side,
    metric,
    outcome,
    rolled,
)
from tests.examples import examples

OGRES = make_side(
    make_group(6, "Fear", "Hatred", profile={"S": 4, "W": 3, "A": 3, "I": 2}, troop_type="monstrous_infantry"),
    width=3,
    charged=True,
)
SPEARS = make_side(
    make_group(20, profile={"Sv": "5+", "I": 4}, weapons=["spear"]), width=5, command=["musician", "standard_bearer"]
)
CHARIOT = make_side(
    make_group(1, profile={"S": 5, "T": 5, "W": 4}, troop_type="chariot", weapons=["longbow"]), charged=True
)
KNIGHTS = make_side(
    make_group(5, "Killing Blow", troop_type="cavalry", weapons=["lance"], armour=["heavy armour", "barding"],
               mount={"profile": {"M": 8, "WS": 3, "S": 4, "I": 3, "A": 1}}), width=5, charged=True)  # fmt: skip
HERO = make_side(make_hero("Luckstone", profile={"W": 3, "Sv": "4+", "A": 3}))
CANNON = {
    "name": "Cannon", "count": 1, "troop_type": "war_machine",
    "crew": {"count": 3, "profile": {"WS": 3, "S": 3, "T": 3, "W": 1, "I": 3, "A": 1, "Ld": 7}},
}  # fmt: skip
LOST = {"lost_combat_by": 2}
DRAGON = make_side(
    make_hero("Luckstone", troop_type="monster", profile={"W": 2, "T": 4}, armour=["heavy armour"],
              mount={"name": "Dragon", "profile": {"WS": 5, "S": 6, "T": 5, "W": 4, "I": 4, "A": 5},
                     "rules": ["Scaly Skin (4+)"]})
)  # fmt: skip

DOCUMENTS: dict[str, Json] = {
    "melee": make_melee(KNIGHTS, OGRES),
    "melee on a hero": make_melee(make_side(make_group(5, "Poisoned Attacks", "Random Attacks (D3)"), width=5), HERO),
    "melee with weakened target": make_melee(KNIGHTS, SPEARS | {"effects": ["The Withering"]}),
    "melee of a chariot": make_melee(
        make_side(
            make_group(
                1,
                troop_type="chariot",
                profile={"S": 5, "T": 5, "W": 4},
                crew={"count": 2, "profile": {"WS": 4, "S": 3, "I": 4, "A": 1}},
                mount={"profile": {"WS": 3, "S": 4, "I": 3, "A": 1}},
            ),
            charged=True,
        ),
        SPEARS,
    ),
    "combat_round": make_clash("combat_round", attacker=OGRES, defender=SPEARS),
    "combat_round of a chariot": make_clash("combat_round", attacker=CHARIOT, defender=SPEARS),
    "combat_round with a crumbling side": make_clash(
        "combat_round", attacker=KNIGHTS, defender=make_side(make_group(12, "Unstable"), width=4)
    ),
    "combat_round of a monster with handlers": make_clash(
        "combat_round",
        attacker=OGRES,
        defender=make_side(
            make_group(1, "Monsters and Handlers", "Regeneration", handlers=2, profile={"W": 5}, troop_type="monster")
        ),
    ),
    "combat_round of a hero": make_clash("combat_round", attacker=HERO, defender=SPEARS),
    "building_assault with special attacks": make_clash(
        "building_assault",
        attacker=make_side(
            make_group(2, "Thunderstomp", "Breath Weapon (4)", profile={"S": 4, "W": 4, "A": 2}, troop_type="monster")
        ),
        defender=make_side(make_group(8, "Regeneration (5+)", profile={"W": 2, "Ld": 8})),
    ),
    "building_assault by flames": make_clash(
        "building_assault",
        attacker=make_side(make_group(2, "Thunderstomp", "Flaming Attacks", profile={"W": 4}, troop_type="monster")),
        defender=make_side(make_hero("Luckstone", profile={"W": 3, "Sv": "4+", "A": 3})),
    ),
    "shooting at a ridden monster": make_clash(
        "shooting", attacker=make_side(make_group(12, weapons=["longbow"]), width=6), defender=DRAGON
    ),
    "a stone on a ridden monster": make_clash(
        "shooting",
        attacker=make_side(make_group(2, troop_type="war_machine", weapons=["stone thrower"])),
        defender=DRAGON,
        conditions={"models_covered": 1, "centre_model_hit": True},
    ),
    "spell at a ridden monster": make_clash("spell", spell="Fireball", defender=DRAGON),
    "spell attempted at a ridden monster": make_clash(
        "spell", spell="Fireball", defender=DRAGON, caster={"wizard_level": 2}, dice=3, casting_value=10
    ),
    "breath on a ridden monster": make_clash(
        "breath_weapon",
        attacker=make_side(make_group(1, "Breath Weapon (5)")),
        defender=DRAGON,
        conditions={"in_close_combat": False, "models_covered": 1},
    ),
    "shooting": make_clash(
        "shooting",
        attacker=make_side(make_group(12, "Poisoned Attacks", weapons=["longbow"]), width=6),
        defender=SPEARS,
    ),
    "shooting of a stone thrower": make_clash(
        "shooting",
        attacker=make_side(make_group(1, weapons=["stone thrower"], troop_type="war_machine")),
        defender=OGRES,
        conditions={"models_covered": "D6", "centre_model_hit": True},
    ),
    "shooting of grapeshot": make_clash(
        "shooting", attacker=make_side(make_group(1, weapons=["grapeshot"])), defender=SPEARS
    ),
    "impact_hits": make_clash("impact_hits", attacker=CHARIOT, defender=SPEARS),
    "stomp": make_clash("stomp", attacker=make_side(make_group(1, troop_type="monster")), defender=SPEARS),
    "breath_weapon": make_clash(
        "breath_weapon", attacker=make_side(make_group(1, "Breath Weapon (S4)")), defender=SPEARS
    ),
    "attack_count": make_clash("attack_count", unit=make_side(make_group(5, "Random Attacks (D6)"), width=5)),
    "combat_result": make_clash(
        "combat_result", attacker=SPEARS | {"wounds_inflicted": 2}, defender=OGRES | {"wounds_inflicted": 3}
    ),
    "break_test": make_clash("break_test", unit=SPEARS | {"army_standard": True}, enemy=OGRES, conditions=LOST),
    "leadership_test": make_clash("leadership_test", unit=SPEARS),
    "pursuit": make_clash("pursuit", winner=KNIGHTS, loser=SPEARS),
    "charge": make_clash("charge", unit=KNIGHTS, conditions={"distance": 15, "reroll_failed_charge": True}),
    "ambush": make_clash("ambush", unit=SPEARS, conditions={"by_end_of_turn": 3}),
    "building_assault": make_clash("building_assault", attacker=OGRES, defender=SPEARS),
    "war_machine_melee": make_clash("war_machine_melee", attacker=SPEARS, defender=make_side(CANNON)),
    "look_out_sir": make_clash("look_out_sir", unit=make_side(make_group(9), make_hero())),
    "ridden_monster": make_clash("ridden_monster", unit=make_side(make_group(1, riders=1)), hits=6),
    "monster_and_handlers": make_clash(
        "monster_and_handlers", unit=make_side(make_group(1, handlers=2)), unsaved_wounds=5
    ),
    "misfire": make_clash("misfire", machine="stone_thrower"),
    "dangerous_terrain": make_clash("dangerous_terrain", unit=CHARIOT, conditions={"terrain": "marsh"}),
    "shooting of a bolt": make_clash(
        "shooting",
        attacker=make_side(make_group(2, troop_type="war_machine", weapons=["bolt thrower"])),
        defender=make_side(
            make_group(8, profile={"T": 4, "W": 2}, troop_type="monstrous_infantry", armour=["light armour"]), width=3
        ),
    ),
    "shooting of a cannon ball": make_clash(
        "shooting",
        attacker=make_side(make_group(1, troop_type="war_machine", weapons=["cannon"])),
        defender=OGRES,
        conditions={"models_covered": 3},
    ),
    "spell": make_clash("spell", spell="Fireball", defender=SPEARS),
    "spell that is cast": make_clash(
        "spell",
        spell="Flame Storm",
        attacker=make_side(make_hero("Wand of Jet", "Power Stone")),
        defender=SPEARS,
        caster={"wizard_level": 3},
        dice=3,
        conditions={"models_covered": "D6"},
    ),
    "spell that leeches": make_clash(
        "spell", spell="The Purple Sun of Xereus", defender=OGRES, conditions={"models_covered": 3}
    ),
    "spell that lands later": make_clash("spell", spell="Comet of Casandora", defender=SPEARS),
    "spell that heals": make_clash("spell", spell="Regrowth", defender=OGRES, caster={"wizard_level": 4}, dice=4),
    "spell through ranks": make_clash("spell", spell="The Amber Spear", defender=OGRES),
    "spell that removes": make_clash("spell", spell="The Dwellers Below", defender=SPEARS),
    "spell of two leaderships": make_clash("spell", spell="Spirit Leech", defender=HERO, caster={"Ld": 9}),
    "cast_spell": make_clash("cast_spell", caster={"wizard_level": 2}, dice=4, casting_value=15),
    "cast_spell with everything": make_clash(
        "cast_spell",
        caster={"wizard_level": 2},
        dice=3,
        casting_value=17,
        spell="Fireball",
        attacker=make_side(make_hero("Wand of Jet", "Power Stone", "Book of Ashur", "Power Scroll", profile={"W": 2})),
        defender=make_side(make_hero("Feedback Scroll", "Sivejir's Hex Scroll"), effects=["Fireball"]),
    ),
    "dispel with everything": make_clash(
        "dispel",
        dispeller={"wizard_level": 2},
        dice=3,
        casting_total=17,
        attacker=make_side(make_hero("Trickster's Shard")),
        defender=make_side(make_hero("Sceptre of Stability", "Book of Ashur")),
    ),
    "winds_of_magic with everything": make_clash(
        "winds_of_magic",
        caster={"wizards": 3},
        dispeller={"wizards": 2},
        attacker=make_side(make_hero("Channelling Staff", "Forbidden Rod", profile={"W": 2}), effects=["Arcane Ruins"]),
        defender=make_side(make_hero("Channelling Staff"), effects=["Elven Waystone"]),
    ),
    "miscast of a known wizard": make_clash(
        "miscast",
        attacker=make_side(
            make_hero("Earthing Rod", "Talisman of Protection", profile={"W": 2}), effects=["Throne of Vines"]
        ),
    ),
    "dispel": make_clash("dispel", dispeller={"wizard_level": 2}, dice=3, casting_total=13),
    "winds_of_magic": make_clash("winds_of_magic", caster={"wizards": 3}, dispeller={"wizards": 2}),
    "miscast": make_clash("miscast"),
}


def test_every_kind_is_here() -> None:
    assert {document["kind"] for document in DOCUMENTS.values()} == set(KINDS)


@pytest.mark.parametrize("case", DOCUMENTS)
def test_dice_agree_with_exact_numbers(case: str) -> None:
    exact, dice = outcome(DOCUMENTS[case]), rolled(DOCUMENTS[case])
    errors = dice.standard_errors or {}
    assert exact.metrics.keys() == dice.metrics.keys() == errors.keys()
    for name, value in exact.metrics.items():
        assert dice.metrics[name] == pytest.approx(value, abs=5 * errors[name] + 4 / 20_000), name
    for name, spread in exact.distributions.items():
        assert sum(spread.values()) == pytest.approx(1)
        for key, chance in spread.items():
            allowed = 5 * (chance * (1 - chance) / 20_000) ** 0.5 + 4 / 20_000
            assert dice.distributions[name].get(key, 0) == pytest.approx(chance, abs=allowed), (name, key)


@pytest.mark.parametrize("case", DOCUMENTS)
def test_the_same_seed_gives_the_same_answer(case: str) -> None:
    assert rolled(DOCUMENTS[case], trials=300) == rolled(DOCUMENTS[case], trials=300)


def test_tables_of_several_runs_are_combined() -> None:
    parts = [rolled(DOCUMENTS["miscast"], trials=100), rolled(DOCUMENTS["miscast"], trials=300)]
    assert sum(combined(parts).distributions["miscast_result"].values()) == pytest.approx(1)
    assert "miscast_result" not in combined(parts).metrics


def duel(strength: int, toughness: int, save: int, ward: int, skill: int) -> float:
    target = make_group(20, profile={"T": toughness, "Sv": f"{save}+", "Ward": f"{ward}+"})
    attacker = make_side(make_group(6, profile={"S": strength, "WS": skill}), width=6)
    return metric(make_melee(attacker, make_side(target, width=5)))


NUMBERS = st.tuples(st.integers(1, 9), st.integers(1, 9), st.integers(2, 6), st.integers(3, 6), st.integers(1, 9))


@settings(max_examples=examples(60), deadline=None)
@given(NUMBERS)
def test_more_is_never_worse(numbers: tuple[int, int, int, int, int]) -> None:
    strength, toughness, save, ward, skill = numbers
    base = duel(*numbers) + 1e-12
    assert duel(strength + 1, toughness, save, ward, skill) >= base - 2e-12
    assert duel(strength, toughness + 1, save, ward, skill) <= base
    assert duel(strength, toughness, save + 1, ward, skill) >= base - 2e-12
    assert duel(strength, toughness, save, ward - 1, skill) <= base
    assert duel(strength, toughness, save, ward, skill + 1) >= base - 2e-12


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(1, 14), st.integers(1, 14), st.integers(1, 6), st.integers(1, 3), st.booleans())
def test_a_round_is_won_drawn_or_lost(first: int, second: int, initiative: int, wounds: int, charged: bool) -> None:
    attacker = make_side(make_group(first, profile={"I": initiative}), width=4, charged=charged)
    defender = make_side(make_group(second, profile={"W": wounds}), width=4)
    metrics = outcome(make_clash("combat_round", attacker=attacker, defender=defender)).metrics
    assert metrics["p_win"] + metrics["p_draw"] + metrics["p_lose"] == pytest.approx(1)
    assert metrics["wounds_lost"] <= second * wounds
    assert metrics["p_defender_breaks"] + metrics["p_destroyed"] <= metrics["p_win"] + metrics["p_draw"] + 1e-12


@settings(max_examples=examples(30), deadline=None)
@given(st.integers(2, 10), st.integers(0, 10))
def test_steadfast_never_hurts(leadership: int, lost: int) -> None:
    unit = make_side(make_group(10, profile={"Ld": leadership}))
    chances = [
        metric(make_clash("break_test", unit=unit, conditions={"lost_combat_by": lost, "steadfast": firm}), "p_pass")
        for firm in (False, True)
    ]
    assert chances[0] <= chances[1]


@pytest.mark.parametrize(
    ("document", "at"),
    [
        (make_melee(make_side(make_group(10**5))), "/attacker/models/0/count"),
        (make_melee(make_side(), make_side(make_group(600), make_group(600))), "/defender/models/1/count"),
        (make_melee(make_side(make_group(2, "Random Attacks (999D6)"))), "/attacker/models/0/rules"),
        (make_melee(make_side(make_group(500, "Random Attacks (90D6)"), width=500)), "/attacker/models/0"),
        (make_melee(make_side()) | {"trials": 10**7 + 1}, "/trials"),
        (make_melee(make_side(make_group(1000), width=1000)) | {"method": "montecarlo", "trials": 10**6}, "/trials"),
        (make_clash("ridden_monster", unit=make_side(), hits=10**5), "/hits"),
        (make_clash("winds_of_magic", caster={"wizards": 10**5}), "/caster/wizards"),
        (
            DOCUMENTS["shooting of grapeshot"] | {"conditions": {"models_covered": "999D6"}},
            "/conditions/models_covered",
        ),
        (
            make_clash(
                "combat_round",
                attacker=make_side(make_group(1000, "Multiple Wounds (D3)", profile={"W": 4}), width=1000),
                defender=make_side(make_group(1000, "Multiple Wounds (D3)", profile={"W": 4}), width=1000),
            ),
            "/attacker/models",
        ),
    ],
)
def test_limits(document: Json, at: str) -> None:
    started = time.process_time()
    with pytest.raises(LimitExceeded) as refusal:
        outcome(document)
    assert refusal.value.at == at
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    ("document", "at"),
    [
        (make_clash("melee", attacker=make_side()), "/defender"),
        (make_clash("charge", unit=make_side()), "/conditions/distance"),
        (make_clash("break_test", unit=make_side()), "/conditions/lost_combat_by"),
        (make_clash("cast_spell", caster={}, dice=7, casting_value=5), "/dice"),
        (make_clash("duel"), "/kind"),
        (make_melee(make_side(make_group(profile={"WS": None}))), "/attacker/models/0/profile/WS"),
        (make_melee(make_side(), make_side(make_group(profile={"T": None}))), "/defender/models/0/profile/T"),
        (make_clash("leadership_test", unit=make_side(make_group(profile={"Ld": None}))), "/unit/models/0/profile/Ld"),
        (make_clash("war_machine_melee", attacker=make_side(), defender=make_side()), "/defender/models/0/crew"),
        (make_clash("combat_result", attacker=make_side(), defender=make_side()), "/attacker/wounds_inflicted"),
        (make_clash("melee", attacker=make_side(terrain="sea"), defender=make_side()), "/attacker/terrain"),
    ],
)
def test_refusals(document: Json, at: str) -> None:
    with pytest.raises(BadDocument) as refusal:
        outcome(document)
    assert refusal.value.at == at


def test_both_languages_and_readings() -> None:
    answer = document_of(outcome(DOCUMENTS["combat_round"]))
    assert answer["options"]["poison"] == "wounds_automatically"
    assert len(answer["assumptions"]) == len(answer["x-ru"]["assumptions"]) == 3
    assert "Hatred" in answer["modelled"]


def test_null_is_allowed_where_the_contract_says_so() -> None:
    blade = {"name": "blade", "range": None, "S": None}
    assert parse_matchup(make_melee(make_side(make_group(weapons=[blade])))).kind == "melee"
    with pytest.raises(BadDocument):
        parse_matchup(make_melee(make_side(width=None)))
