"""Two Fantasy lists meet: every cell is its document, circumstances count, and what there is no attack for."""

from typing import get_args

import pytest
from msgspec.structs import replace

from armybuilder.engine.errors import BadDocument
from armybuilder.engine.simulate import simulate
from armybuilder.engine.systems.fantasy_8th.army import Profile
from armybuilder.engine.systems.fantasy_8th.combat.effects import EFFECTS, TERRAIN_NAMES, EffectName, effect_words
from armybuilder.engine.systems.fantasy_8th.combat.fighter import Fighter
from armybuilder.engine.systems.fantasy_8th.combat.list_matchup import MATCHUPS, FantasyConditions
from armybuilder.engine.systems.fantasy_8th.combat.model_notes import note_rules
from armybuilder.engine.systems.fantasy_8th.matchup import Group, Mount, Side
from armybuilder.engine.systems.list_matchups import Effect
from armybuilder.engine.systems.matchups import ModelNotes
from tests.engine.systems.fantasy_8th.roster.test_fighters import sample


@pytest.fixture(scope="module")
def empire() -> dict[str, Fighter]:
    return sample("empire")


@pytest.fixture(scope="module")
def orcs() -> dict[str, Fighter]:
    return sample("orcs-and-goblins")


def rows(
    attack: str, attackers: list[Fighter], defenders: list[Fighter], **stated: object
) -> list[list[Effect | None]]:
    conditions = FantasyConditions(**stated)  # type: ignore[arg-type]
    return list(MATCHUPS.effects(attack, attackers, defenders, conditions=conditions))


def one(attack: str, attackers: Fighter, defenders: Fighter, **stated: object) -> Effect | None:
    return rows(attack, [attackers], [defenders], **stated)[0][0]


@pytest.mark.long
def test_every_cell_is_its_document(empire: dict[str, Fighter], orcs: dict[str, Fighter]) -> None:
    found = dict.fromkeys(MATCHUPS.attacks, 0)
    mine, theirs = list(empire.values()), list(orcs.values())
    for attack in MATCHUPS.attacks:
        for attacker, row in zip(mine, rows(attack, mine, theirs), strict=True):
            for defender, cell in zip(theirs, row, strict=True):
                if cell is None:
                    continue
                found[attack] += 1
                document = MATCHUPS.matchup(attack, attacker, defender, conditions=FantasyConditions())
                metrics = simulate(document).metrics
                assert 0.0 <= cell.points_destroyed <= float(defender.points) + 1e-9, (attacker.name, defender.name)
                assert not cell.sampled
                assert cell.p_destroyed == pytest.approx(metrics["p_destroyed"], abs=1e-9)
                crumbled = metrics.get("crumbled_wounds", 0.0) / (defender.side.main.profile.W or 1)
                assert cell.models_slain == pytest.approx(metrics["models_slain"] + crumbled, abs=1e-9)
    machines = sum(fighter.side.main.troop_type == "war_machine" for fighter in mine)
    assert found["close_combat"] == (len(mine) - machines) * len(theirs)
    assert found["magic"] == len(theirs), "one wizard"
    assert found["shooting"] == 4 * len(theirs), "handgunners twice, huntsmen, a cannon"


def test_numbers_by_hand(empire: dict[str, Fighter], orcs: dict[str, Fighter]) -> None:
    """Ten handguns, Ballistic Skill 3, at short range: 4+ to hit, 4+ to wound; S4 and piercing leave Orcs no 5+."""
    cell = one("shooting", empire["Handgunners"], orcs["Orc Boyz"], distance=10)
    assert cell is not None
    assert (cell.models_slain, cell.weapons) == (pytest.approx(10 * 1 / 2 * 1 / 2), ("handgun",))
    assert cell.points_destroyed == pytest.approx(cell.models_slain * float(orcs["Orc Boyz"].points) / 25)


@pytest.mark.parametrize(
    ("case", "attack", "attacker", "defender", "worse", "better"),
    [
        ("charging with lances", "close_combat", "Demigryph Knights", "Black Orcs", {"charge": False}, {}),
        ("a wider front", "close_combat", "Halberdiers", "Orc Boyz", {"frontage": 5}, {"frontage": 10}),
        ("a wall", "close_combat", "Halberdiers", "Orc Boyz", {"defended": "wall"}, {}),
        ("cover", "shooting", "Handgunners", "Orc Boyz", {"target_cover": "hard"}, {}),
        ("long range", "shooting", "Handgunners", "Orc Boyz", {"distance": 20}, {"distance": 10}),
        ("a blessing", "close_combat", "Halberdiers", "Orc Boyz", {}, {"effect": "Wyssan's Wildform"}),
        ("a curse", "shooting", "Handgunners", "Orc Boyz", {}, {"defender_effect": "The Withering"}),
        ("an altar", "close_combat", "Halberdiers", "Orc Boyz", {}, {"effect": "Altar of Khaine"}),
        ("a circle", "magic", "Battle Wizard Lord", "Orc Boyz", {"defender_effect": "Magic Circle"}, {}),
        ("more power dice", "magic", "Battle Wizard Lord", "Orc Boyz", {"power_dice": 1}, {"power_dice": 4}),
        ("dispel dice", "magic", "Battle Wizard Lord", "Orc Boyz", {"dispel_dice": 4, "dispel_level": 2}, {}),
        (
            "a wizard who dispels",
            "magic",
            "Battle Wizard Lord",
            "Orc Boyz",
            {"dispel_dice": 2, "dispel_level": 4},
            {"dispel_dice": 2},
        ),
        ("another spell", "magic", "Battle Wizard Lord", "Orc Boyz", {"spell": "Shem's Burning Gaze"}, {}),
        ("more under the ball", "shooting", "Great Cannon", "Orc Boyz", {"models_covered": 1}, {"models_covered": 4}),
    ],
)
def test_circumstances_change_the_numbers(
    case: str,
    attack: str,
    attacker: str,
    defender: str,
    worse: dict[str, object],
    better: dict[str, object],
    empire: dict[str, Fighter],
    orcs: dict[str, Fighter],
) -> None:
    less, more = (one(attack, empire[attacker], orcs[defender], **stated) for stated in (worse, better))
    assert less is not None and more is not None
    assert less.models_slain < more.models_slain * 0.999, case


def test_one_shot_of_a_machine_in_six_misfires(empire: dict[str, Fighter], orcs: dict[str, Fighter]) -> None:
    """A ball through two Orcs, S10: 2+ to wound; at the Giant, who has six wounds, one hit."""
    cannon = empire["Great Cannon"]
    far = FantasyConditions(distance=20)
    document = MATCHUPS.matchup("shooting", cannon, orcs["Orc Boyz"], conditions=far)
    assert simulate(document).metrics["unsaved_wounds"] == pytest.approx(5 / 6 * 2 * 5 / 6)
    assert simulate(document).distributions["models_slain"]["0"] == pytest.approx(1 / 6 + 5 / 6 / 36)
    giant = MATCHUPS.matchup("shooting", cannon, orcs["Giant"], conditions=far)
    assert simulate(giant).metrics["unsaved_wounds"] == pytest.approx(5 / 6 * 5 / 6)
    rolled = simulate(replace(giant, method="montecarlo", trials=20_000, seed=1)).metrics["unsaved_wounds"]
    assert rolled == pytest.approx(25 / 36, abs=0.02)


def test_effects_that_may_be_stated_are_known() -> None:
    names = set(get_args(EffectName))
    ways = {name for name, row in EFFECTS.items() if row.way is not None}
    assert names <= EFFECTS.keys()
    assert {name.partition(" (")[0] for name in names} >= EFFECTS.keys() - TERRAIN_NAMES.keys() - ways
    assert names <= effect_words().keys()


def test_effects_lie_on_the_side_they_are_stated_for(empire: dict[str, Fighter], orcs: dict[str, Fighter]) -> None:
    stated = FantasyConditions(effect="Altar of Khaine")
    pair = (orcs["Orc Boyz"], empire["Halberdiers"])
    back = MATCHUPS.matchup("close_combat", *pair, conditions=stated, outgoing=False)
    assert (back.attacker.effects, back.defender.effects) == ((), ("Altar of Khaine",))


def test_the_weapon_that_does_most_is_fired(empire: dict[str, Fighter], orcs: dict[str, Fighter]) -> None:
    """Grapeshot as far as it reaches: five hits of S5 that pierce armour, against two of a ball."""
    for distance, weapon, wounds in ((12, "grapeshot", 5 * 4 / 6), (13, "great cannon", 5 / 6 * 2 * 5 / 6)):
        cell = one("shooting", empire["Great Cannon"], orcs["Orc Boyz"], distance=distance)
        assert cell is not None
        assert (cell.weapons, cell.models_slain) == ((weapon,), pytest.approx(wounds))


def test_breath_is_shot_at_short_range(empire: dict[str, Fighter], orcs: dict[str, Fighter]) -> None:
    giant = orcs["Giant"]
    dragon = replace(giant, side=replace(giant.side, rules=("Breath Weapon (S4)",)))
    cell = one("shooting", dragon, empire["Halberdiers"], distance=8)
    assert cell is not None
    assert cell.models_slain == pytest.approx(6 * 4 / 6), "S4 leaves light armour nothing"
    assert one("shooting", dragon, empire["Halberdiers"], distance=9) is None


def test_a_wide_front_shoots_in_two_ranks(empire: dict[str, Fighter], orcs: dict[str, Fighter]) -> None:
    narrow, wide = (one("shooting", empire["Handgunners"], orcs["Orc Boyz"], frontage=n) for n in (3, 5))
    assert narrow is not None and wide is not None
    assert narrow.models_slain == pytest.approx(6 / 10 * wide.models_slain)


def test_the_best_spell_of_the_lore(empire: dict[str, Fighter], orcs: dict[str, Fighter]) -> None:
    """Trolls regenerate what is not flaming; against a crowd more hits are better. Three dice and level 4 reach 10."""
    wizard = empire["Battle Wizard Lord"]
    for target, spell in (("Trolls", "Shem's Burning Gaze"), ("Orc Boyz", "Banishment")):
        document = MATCHUPS.matchup("magic", wizard, orcs[target], conditions=FantasyConditions())
        assert (document.spell, document.caster.wizard_level) == (spell, 4)
    metrics = simulate(document).metrics
    assert metrics["p_cast"] == pytest.approx(206 / 216), "3D6 show 6 or more"
    assert metrics["unsaved_wounds"] == pytest.approx(206 / 216 * 7 * 1 / 2 * 5 / 6), (
        "S4 on T4, a save of 5+ is left 6+"
    )


def test_a_ring_casts_for_whoever_wears_it(empire: dict[str, Fighter], orcs: dict[str, Fighter]) -> None:
    captain = empire["Captain of the Empire"]
    hero = replace(captain.side.main, magic_items=("Ruby Ring of Ruin",))
    bearer = replace(captain, side=replace(captain.side, models=(hero,)))
    document = MATCHUPS.matchup("magic", bearer, orcs["Orc Boyz"], conditions=FantasyConditions(power_dice=2))
    assert document.spell == "Fireball"
    assert simulate(document).metrics["p_cast"] == pytest.approx(35 / 36), "power level 3"


def test_scrolls_are_kept(empire: dict[str, Fighter], orcs: dict[str, Fighter]) -> None:
    shaman = orcs["Orc Great Shaman"]
    assert shaman.side.main.magic_items == ("Dispel Scroll",)
    document = MATCHUPS.matchup("magic", empire["Battle Wizard Lord"], shaman, conditions=FantasyConditions())
    assert "p_dispel" not in simulate(document).metrics


@pytest.mark.parametrize("near", [{"defender_standard": True}, {"defender_general": 10}])
def test_who_is_near_steadies_the_target(
    near: dict[str, object], empire: dict[str, Fighter], orcs: dict[str, Fighter]
) -> None:
    alone, led = (one("close_combat", empire["Greatswords"], orcs["Night Goblins"], **stated) for stated in ({}, near))
    assert alone is not None and led is not None
    assert (led.p_broken or 0) < (alone.p_broken or 0)


@pytest.mark.parametrize(
    ("defended", "effect"),
    [
        ("nothing", None), ("hedge", "Hedge"), ("wall", "Wall"), ("barricade", "Burning Barricade"),
        ("ghost_fence", "Ghost Fence"), ("bulwark", "Blessed Bulwark (against Destruction)"),
    ],
)  # fmt: skip
def test_obstacles_are_defended(
    defended: str, effect: str | None, empire: dict[str, Fighter], orcs: dict[str, Fighter]
) -> None:
    stated = FantasyConditions(defended=defended)  # type: ignore[arg-type]
    document = MATCHUPS.matchup("close_combat", orcs["Trolls"], empire["Greatswords"], conditions=stated)
    assert document.defender is not None
    assert document.defender.effects == ((effect,) if effect else ())
    plain = one("close_combat", orcs["Trolls"], empire["Greatswords"])
    cell = one("close_combat", orcs["Trolls"], empire["Greatswords"], defended=defended)
    assert plain is not None and cell is not None
    assert (cell.wounds_lost, cell.models_slain) != (plain.wounds_lost, plain.models_slain) or effect is None


def test_a_bulwark_does_not_slow_order(empire: dict[str, Fighter], orcs: dict[str, Fighter]) -> None:
    stated = FantasyConditions(defended="bulwark")
    document = MATCHUPS.matchup("close_combat", empire["Greatswords"], orcs["Trolls"], conditions=stated)
    assert document.defender is not None
    assert document.defender.effects == ("Blessed Bulwark",)
    assert orcs["Trolls"].destruction and not empire["Greatswords"].destruction


def test_a_building_is_stormed(empire: dict[str, Fighter], orcs: dict[str, Fighter]) -> None:
    stated = FantasyConditions(defended="building")
    document = MATCHUPS.matchup("close_combat", empire["Greatswords"], orcs["Orc Boyz"], conditions=stated)
    assert document.kind == "building_assault"
    assert one("close_combat", empire["Greatswords"], orcs["Trolls"], defended="building") is not None
    assert one("close_combat", orcs["Trolls"], empire["Demigryph Knights"], defended="building") is None
    assert one("close_combat", orcs["Trolls"], empire["Great Cannon"], defended="building") is not None


def test_a_challenge_is_between_a_champion_and_whoever_meets_him(
    empire: dict[str, Fighter], orcs: dict[str, Fighter]
) -> None:
    general, boyz = empire["General of the Empire"], orcs["Orc Boyz"]
    plain, fought = (one("close_combat", general, boyz, challenge=challenge) for challenge in (False, True))
    assert plain is not None and fought is not None
    assert fought.models_slain < plain.models_slain


def test_a_flank_takes_away_the_ranks(empire: dict[str, Fighter], orcs: dict[str, Fighter]) -> None:
    ahead, flank = (
        one("close_combat", empire["Greatswords"], orcs["Night Goblins"], attacks_from=side)
        for side in ("ahead", "flank")
    )
    assert ahead is not None and flank is not None
    assert (ahead.p_broken or 0) < (flank.p_broken or 0)


@pytest.mark.parametrize(
    ("case", "attack", "attacker", "stated"),
    [
        ("a machine cannot charge", "close_combat", "Great Cannon", {}),
        ("nothing to shoot with", "shooting", "Swordsmen", {}),
        ("no wizard", "magic", "Swordsmen", {}),
        ("a spell of another lore", "magic", "Battle Wizard Lord", {"spell": "Fireball"}),
        ("out of the spell's range", "magic", "Battle Wizard Lord", {"distance": 49}),
        ("too far", "shooting", "Handgunners", {"distance": 60}),
    ],
)
def test_no_attack(
    case: str,
    attack: str,
    attacker: str,
    stated: dict[str, object],
    empire: dict[str, Fighter],
    orcs: dict[str, Fighter],
) -> None:
    assert one(attack, empire[attacker], orcs["Orc Boyz"], **stated) is None, case
    with pytest.raises(BadDocument):
        MATCHUPS.matchup(
            attack,
            empire[attacker],
            orcs["Orc Boyz"],
            conditions=FantasyConditions(**stated),  # type: ignore[arg-type]
            outgoing=True,
        )


def test_a_machine_is_lost_as_a_whole(empire: dict[str, Fighter], orcs: dict[str, Fighter]) -> None:
    cell = one("close_combat", empire["Greatswords"], orcs["Goblin Rock Lobber"])
    assert cell is not None
    assert cell.models_slain == pytest.approx(cell.p_destroyed)
    assert cell.points_destroyed == pytest.approx(cell.p_destroyed * float(orcs["Goblin Rock Lobber"].points))


def test_moving_silences_handguns_on_either_side(empire: dict[str, Fighter], orcs: dict[str, Fighter]) -> None:
    for outgoing, stated in ((True, FantasyConditions(moved=True)), (False, FantasyConditions(defender_moved=True))):
        document = MATCHUPS.matchup(
            "shooting", empire["Handgunners"], orcs["Orc Boyz"], conditions=stated, outgoing=outgoing
        )
        assert simulate(document).metrics["models_slain"] == 0.0


def test_what_the_numbers_rest_on(empire: dict[str, Fighter], orcs: dict[str, Fighter]) -> None:
    """A champion, who is hurt like his men, makes nothing rough; a mixed unit does."""

    def rough(defender: Fighter) -> list[str]:
        notes = ModelNotes()
        document = MATCHUPS.matchup("close_combat", empire["Greatswords"], defender, conditions=FantasyConditions())
        note_rules(document, notes)
        assert any("full ranks" in text.en for text in notes.assumptions)
        return [item.rule for item in notes.approximated]

    boyz = orcs["Orc Boyz"]
    assert rough(boyz) == []
    boy, boss = boyz.side.models
    tougher = replace(boss, profile=replace(boss.profile, T=5))
    assert rough(replace(boyz, side=replace(boyz.side, models=(boy, tougher)))) == ["mixed units"]


def test_rider_and_monster_are_half_of_the_model_each_under_fire(
    empire: dict[str, Fighter], orcs: dict[str, Fighter]
) -> None:
    beast = Mount(Profile(WS=3, S=5, T=3, W=1, I=3, A=3, Ld=6), "Wyvern")
    boss = Group("Boss", 1, "monster", ("character",), Profile(WS=5, S=4, T=3, W=1, I=3, A=3, Ld=8), mount=beast)
    rider = replace(orcs["Trolls"], side=Side((boss,), "Boss"))
    cell = one("shooting", empire["Handgunners"], rider)
    assert cell is not None
    metrics = simulate(
        MATCHUPS.matchup("shooting", empire["Handgunners"], rider, conditions=FantasyConditions())
    ).metrics
    assert metrics["models_slain"] == pytest.approx(metrics["p_slain:Boss"] + metrics["p_slain:Wyvern"])
    assert cell.models_slain == pytest.approx(metrics["models_slain"] / 2)
    assert cell.p_destroyed < cell.models_slain < 1
