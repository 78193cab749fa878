"""Cards and rewards of a hero in the words of a page."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from armybuilder.engine.systems.relic.hero import Asset, Bonus
from armybuilder.engine.systems.relic.list_rules.rules import COLOR_NAMES
from armybuilder.heroes.wording import ASSET_CLASS_NAMES, KIND_NAMES
from armybuilder.web.formatting import localized

REWARDS = {
    "strength": lambda: _("+1 Strength"),
    "willpower": lambda: _("+1 Willpower"),
    "cunning": lambda: _("+1 Cunning"),
    "any_attribute": lambda: _("+1 to an attribute of choice"),
    "life": lambda: _("+1 Life"),
    "influence": lambda: _("2 Influence"),
    "power_card": lambda: _("1 Power card"),
    "mission": lambda: _("1 completed mission"),
    "special": lambda: _("special reward"),
}
USES = {"number": lambda: _("for its number"), "effect": lambda: _("for its effect")}


def asset_words(asset: Asset) -> Iterator[str]:
    """What a card is and gives, in words."""
    if asset.kind == "wargear" and asset.asset_class is not None:
        yield localized(ASSET_CLASS_NAMES[asset.asset_class])
    else:
        if asset.kind is not None:
            yield localized(KIND_NAMES[asset.kind])
        if asset.asset_class is not None:
            yield localized(ASSET_CLASS_NAMES[asset.asset_class])
    if asset.battle_bonus is not None:
        yield _("battle %(bonus)s") % {"bonus": bonus_words(asset.battle_bonus)}
    if asset.skill_bonus is not None:
        yield _("test %(bonus)s") % {"bonus": bonus_words(asset.skill_bonus)}


def bonus_words(bonus: Bonus) -> str:
    """A bonus in words: "+3 grey"."""
    color = COLOR_NAMES.get(bonus.color.lower())
    return f"{bonus.value:+d} {localized(color) if color is not None else bonus.color}".replace("-", "−")
