"""The rules of list building of the Horus Heresy, in the order they run."""

from armybuilder.engine.findings import Points, Text
from armybuilder.engine.systems.horus_heresy.army import Army
from armybuilder.engine.systems.horus_heresy.list_rules import (
    alliances,
    attachments,
    datasheets,
    deployment,
    faction_unity,
    force_org,
    fortifications,
    frame,
    percent_limits,
    psykers,
    transports,
    warlord,
)
from armybuilder.engine.systems.horus_heresy.list_rules.rules import TABLE
from armybuilder.engine.systems.list_rules import Check, ListRules, Setting

CHECKS: tuple[Check, ...] = (
    frame.allegiance_chosen,
    frame.printed_allegiance,
    frame.agents_side,
    frame.limit_agreed,
    frame.within_limit,
    frame.size_of_the_missions,
    frame.recommended_size,
    frame.chart_chosen,
    force_org.one_primary_detachment,
    force_org.optional_detachments_once,
    force_org.compulsory_slots,
    force_org.primary_filled_first,
    force_org.slots_available,
    faction_unity.one_faction,
    faction_unity.allied_faction_differs,
    faction_unity.other_legions_only_as_allies,
    faction_unity.one_legion_rule,
    faction_unity.one_army_list,
    alliances.level_recorded,
    alliances.allies_never_scoring,
    alliances.allies_by_command,
    alliances.characters_join_sworn_brothers,
    alliances.no_allied_transports,
    percent_limits.army_large_enough,
    percent_limits.total_large_enough,
    percent_limits.lords_of_war_cap,
    percent_limits.lords_of_war_cap_of_total,
    warlord.warlord_chosen,
    warlord.traits_of_others,
    transports.bought_for_a_unit,
    transports.capacity,
    transports.able_to_embark,
    fortifications.extras_of_the_profile,
    fortifications.fortifications_on_the_table,
    attachments.joins_its_own_kind,
    attachments.infiltrators_keep_apart,
    attachments.crew,
    deployment.flyers_in_reserve,
    deployment.immobile_not_in_reserve,
    deployment.deep_strike_assault,
    deployment.flanking_assault,
    deployment.one_assault_of_a_kind,
    psykers.powers_for_psykers,
    psykers.discipline_chosen,
    datasheets.characteristics_in_bounds,
    datasheets.armour_complete,
    frame.same_allegiance,
    frame.equal_limits,
    frame.base_reactions,
    datasheets.options_of_the_entry,
)


def points_of_army(army: Army) -> Points:
    """The sum of all prices, and the limit as it is written."""
    return Points.of(army.total, limit=army.points_limit)


SETTINGS = {
    "alliance_levels": Setting(
        asks=Text(
            en="The alliance table of this site; a cell that nobody has recorded is unknown.",
            ru="Таблица союзов этого сайта; незаполненная клетка – уровень неизвестен.",
        ),
        values=("unknown",),
        of_the_site=True,
    ),
}
"""What the rules depend on besides the list."""


RULES = ListRules(
    system="horus-heresy",
    rules=TABLE,
    army_type=Army,
    checks=CHECKS,
    points=points_of_army,
    settings=SETTINGS,
    usual_limit=3000,
    unknown_parts={"HH-23": "alliance"},
    restatements={"BS-01": ("HH-11", "HH-13", "HH-14"), "BS-02": ("HH-15", "HH-16"), "BS-04": ("HH-05",)},
    roleless=frozenset({"HH-14"}),
    alliance_level=alliances.level_of,
)
