"""What answers of simulations say, in words: metrics, distributions, and the rules that figures rest on."""

from collections.abc import Iterator, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from armybuilder.reference.names import Names
from armybuilder.web.charts.distributions import Description, mean_of
from armybuilder.web.formatting import decimal, percent, points

MODEL_WORDS = {
    "squadron": gettext_lazy("Squadron"),
    "vehicles in the combat result": gettext_lazy("Vehicles in the combat result"),
    "movement": gettext_lazy("Movement"),
    "casualties": gettext_lazy("Casualties of mixed units"),
    "close combat of several units": gettext_lazy("Close combat of several units"),
    "vehicles": gettext_lazy("Vehicles"),
    "terrain": gettext_lazy("Terrain"),
    "characters": gettext_lazy("Characters"),
    "objectives": gettext_lazy("Objectives"),
    "reserves": gettext_lazy("Reserves"),
    "transports": gettext_lazy("Transports"),
    "reactions": gettext_lazy("Reactions"),
    "variable length": gettext_lazy("Variable game length"),
    "night fighting": gettext_lazy("Night fighting"),
    "psychic powers that are no attack": gettext_lazy("Psychic powers that are no attack"),
    "running": gettext_lazy("Running"),
    "challenges": gettext_lazy("Challenges"),
    "actions": gettext_lazy("Actions"),
    "blast markers": gettext_lazy("Blast markers"),
    "assault result": gettext_lazy("Assault result"),
    "aircraft": gettext_lazy("Aircraft"),
    "spacecraft": gettext_lazy("Spacecraft"),
    "overwatch": gettext_lazy("Overwatch"),
    "supporting fire": gettext_lazy("Supporting fire"),
    "crossfire": gettext_lazy("Crossfire"),
    "weapons that fire seldom": gettext_lazy("Weapons that fire seldom"),
    "damaged war engines": gettext_lazy("Damaged war engines"),
    "barrage of different weapons": gettext_lazy("Barrage of different weapons"),
    "morale": gettext_lazy("Morale"),
    "assaults": gettext_lazy("Assaults"),
    "going to ground": gettext_lazy("Going to ground"),
    "mixed units": gettext_lazy("Mixed units"),
    "steadfast": gettext_lazy("Steadfast"),
    "magic": gettext_lazy("Magic"),
    "the General and the army standard": gettext_lazy("The General and the army standard"),
    "unknown spells": gettext_lazy("Unknown spells"),
    "spells without damage": gettext_lazy("Spells that do no damage"),
    "miscasts": gettext_lazy("Miscasts"),
    "charge reactions": gettext_lazy("Charge reactions"),
    "flanks": gettext_lazy("Flanks and rears"),
    "misfires": gettext_lazy("Misfires"),
    "captured standards": gettext_lazy("Captured standards"),
    "special abilities": gettext_lazy("Special abilities of the character"),
    "effects of Power cards": gettext_lazy("Effects of Power cards"),
    "effects of Corruption cards": gettext_lazy("Effects of Corruption cards"),
    "wheeling": gettext_lazy("Wheeling and reforming"),
}
"""What the combat model calls its own simplifications."""


def rule_name(word: str, names: Names) -> str:
    """A rule or simplification by name: the data's rules by its translations, the model's own by ours."""
    if word in MODEL_WORDS:
        return str(MODEL_WORDS[word])
    name = names(word[:1].upper() + word[1:])
    return name[:1].upper() + name[1:]


def figures_of(metrics: Mapping[str, float], *, points_per_model: float | None) -> Iterator[tuple[str, str]]:
    """Metrics by label, as a player reads them: averages first, then chances. None where nobody knows the target."""
    labels = {
        "models_slain": _("models slain, on average"),
        "hull_points_lost": _("hull points lost, on average"),
        "unsaved_wounds": _("unsaved wounds, on average"),
        "wounds_lost": _("wounds lost, on average"),
        "attacker_models_slain": _("own models lost, on average"),
        "attacker_hull_points_lost": _("own hull points lost, on average"),
        "crumbled_wounds": _("wounds of Daemons that do not flee, on average"),
        "occupant_hits": _("hits on the men inside, on average"),
        "units_destroyed": _("units destroyed, on average"),
        "dc_lost": _("damage capacity lost, on average"),
        "blast_markers": _("blast markers, on average"),
        "wounds_restored": _("wounds given back, on average"),
        "power_dice": _("power dice, on average"),
        "attacker_units_destroyed": _("own units lost, on average"),
        "attacker_dc_lost": _("own damage capacity lost, on average"),
    }
    for name, label in labels.items():
        if name in metrics:
            yield label, decimal(metrics[name], 2)
    slain = metrics.get("models_slain", metrics.get("units_destroyed"))
    if points_per_model is not None and slain is not None:
        yield _("points destroyed, on average"), points(round(slain * points_per_model))
    chances = {
        "p_cast": _("spell is cast"),
        "p_irresistible": _("cast with irresistible force, and a miscast"),
        "p_dispel": _("spell is dispelled"),
        "p_toad": _("caster turns into a toad"),
        "p_destroyed": _("target wiped out"),
        "p_broken": _("target breaks and is not wiped out"),
        "p_damaged": _("a war engine is damaged"),
        "p_critical_state": _("a war engine is in its critical state"),
        "p_explodes": _("target explodes"),
        "p_immobilised": _("target is immobilised and not destroyed"),
        "p_shocked": _("target may only make snap shots (Shock Pulse)"),
        "p_flees": _("target falls back from its losses"),
        "p_stopped": _("one model stops the ram (Death or Glory)"),
        "p_attacker_destroyed": _("attacker destroyed"),
        "p_pinned": _("target is pinned"),
        "p_blinded": _("target is blinded"),
        "p_concussed": _("target is concussed"),
        "p_irradiated": _("a wounded model loses Toughness (Rad-phage)"),
        "p_defender_flees": _("target flees from Terror before the combat"),
        "p_win": _("attacker wins the combat"),
        "p_draw": _("combat drawn"),
        "p_lose": _("attacker loses the combat"),
        "p_defender_breaks": _("target breaks"),
        "p_defender_caught": _("target is caught fleeing"),
    }
    for name, label in chances.items():
        if name in metrics:
            yield label, percent(metrics[name])


def chances_of_the_named(metrics: Mapping[str, float], names: Names) -> Iterator[tuple[str, str]]:
    """Chances to slay a model that the answer names."""
    for prefix, words in (("p_slain:", _("%(name)s is slain")), ("p_attacker_slain:", _("own %(name)s is slain"))):
        for name, chance in metrics.items():
            if name.startswith(prefix):
                yield words % {"name": names(name.removeprefix(prefix))}, percent(chance)


def what_happens(words: Description, distribution: Mapping[str, float], charted: str) -> str:
    """What happens, in a sentence; also where it is nothing."""
    return _sentence(words, charted) if mean_of(distribution) > 0 else _("Nothing is lost in any fight.")


def _sentence(words: Description, charted: str) -> str:
    """How often at least so many, as players speak of it."""
    things = {
        "models_slain": ngettext("at least %(n)s model dies", "at least %(n)s models die", words.at_least),
        "hull_points_lost": ngettext(
            "at least %(n)s hull point is lost", "at least %(n)s hull points are lost", words.at_least
        ),
        "units_destroyed": ngettext(
            "at least %(n)s unit is destroyed", "at least %(n)s units are destroyed", words.at_least
        ),
        "dc_lost": ngettext(
            "at least %(n)s point of damage capacity is lost",
            "at least %(n)s points of damage capacity are lost",
            words.at_least,
        ),
        "wounds_lost": ngettext("at least %(n)s wound is lost", "at least %(n)s wounds are lost", words.at_least),
        "unsaved_wounds": ngettext(
            "at least %(n)s wound is not saved", "at least %(n)s wounds are not saved", words.at_least
        ),
    }
    what = things[charted] % {"n": words.at_least}
    if words.of_ten == 0:
        return _("In fewer than 1 of 20 fights %(what)s.") % {"what": what}
    if words.of_ten == 10:
        return _("In more than 19 of 20 fights %(what)s.") % {"what": what}
    often = ngettext("In %(n)s of 10 fights %(what)s.", "In %(n)s of 10 fights %(what)s.", words.of_ten)
    return often % {"n": words.of_ten, "what": what}


def typical_range(words: Description) -> str:
    """Between which values most fights end."""
    if words.typical_low == words.typical_high:
        return _("At least 8 of 10 fights end with exactly %(n)s.") % {"n": words.typical_low}
    return _("At least 8 of 10 fights end between %(low)s and %(high)s.") % {
        "low": words.typical_low,
        "high": words.typical_high,
    }


def axis_label(charted: str) -> str:
    """What a chart of this metric counts."""
    return {
        "models_slain": _("models slain"),
        "hull_points_lost": _("hull points lost"),
        "unsaved_wounds": _("unsaved wounds"),
        "wounds_lost": _("wounds lost"),
        "units_destroyed": _("units destroyed"),
        "dc_lost": _("damage capacity lost"),
    }.get(charted, "")
