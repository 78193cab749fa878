"""What the hero's cards may be and which of them help in a battle or a skill test."""

from collections.abc import Iterator, Sequence

from armybuilder.engine.findings import Finding, Text
from armybuilder.engine.systems.relic.hero import BATTLE_COLORS, POWER_NUMBERS, SKILL_COLORS, Asset, Loadout
from armybuilder.engine.systems.relic.list_rules.rules import CLASS_NAMES, COLOR_NAMES, finding


def one_weapon_one_armour(loadout: Loadout) -> Iterator[Finding]:
    """RL-15: a battle kit holds at most one weapon and one armour; relics know only the asset limit (L666)."""
    kit = [asset for _, asset in _kit(loadout, loadout.hero.battle_kit)]
    for asset_class, name in CLASS_NAMES.items():
        n = sum(asset.asset_class == asset_class for asset in kit)
        if n > 1:
            yield finding("RL-15", at="/hero/battle_kit", n=n, asset_class=name)


def no_arms_in_skill_tests(loadout: Loadout) -> Iterator[Finding]:
    """RL-16: weapons and armour do nothing in a skill test."""
    for index, asset in _kit(loadout, loadout.hero.skill_kit):
        if asset.asset_class in CLASS_NAMES:
            yield finding("RL-16", at=f"/hero/skill_kit/{index}", asset=asset.name)


def charges_left(loadout: Loadout) -> Iterator[Finding]:
    """RL-17: a card that enters play with charges is discarded with its last one."""
    for index, asset in enumerate(loadout.hero.assets):
        if asset.charge_value is not None and asset.charges is not None and asset.charges < 1:
            yield finding("RL-17", at=f"/hero/assets/{index}/charges", asset=asset.name)


def enemy_trophies(loadout: Loadout) -> Iterator[Finding]:
    """RL-20: only enemy Threat cards are trophies."""
    for index, trophy in enumerate(loadout.hero.trophies):
        if trophy.source == "scenario":
            yield finding("RL-20", at=f"/hero/trophies/{index}")


def power_numbers(loadout: Loadout) -> Iterator[Finding]:
    """RL-21: a power number stands for a die, so it is 1 to 6."""
    for index, card in enumerate(loadout.hero.power_cards):
        if card.number not in POWER_NUMBERS:
            yield finding("RL-21", at=f"/hero/power_cards/{index}/number", n=card.number)


def bonus_colors(loadout: Loadout) -> Iterator[Finding]:
    """RL-22: battle bonuses are red, blue, yellow or grey; skill bonuses are never grey."""
    for index, asset in enumerate(loadout.hero.assets):
        for member, bonus, colors in (
            ("battle_bonus", asset.battle_bonus, BATTLE_COLORS),
            ("skill_bonus", asset.skill_bonus, SKILL_COLORS),
        ):
            if bonus is not None and bonus.color.lower() not in colors:
                yield finding(
                    "RL-22",
                    at=f"/hero/assets/{index}/{member}/color",
                    asset=asset.name,
                    color=bonus.color,
                    colors=Text(", ".join(colors), ", ".join(COLOR_NAMES[color].ru for color in colors)),
                )


def _kit(loadout: Loadout, names: Sequence[str]) -> Iterator[tuple[int, Asset]]:
    """The named assets with their place in the kit, relics left out."""
    by_name = {asset.name: asset for asset in reversed(loadout.hero.assets)}
    for index, name in enumerate(names):
        asset = by_name.get(name)
        if asset is not None and asset.kind != "relic":
            yield index, asset
