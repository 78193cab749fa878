"""Rules that object to the same thing for two reasons: which of them a list tells."""

from collections import Counter

from armybuilder.engine.findings import Finding
from armybuilder.engine.systems.fantasy_8th.army import Army

ABOUT_JOINING = ("WF-46", "WF-34", "WF-51", "WF-47", "WF-49", "WF-48", "WF-50", "WF-54", "WF-52")
"""Why a character may not stand in a unit, the plainest reason first."""

SUPERFLUOUS = {
    **{rule: ABOUT_JOINING[place + 1 :] for place, rule in enumerate(ABOUT_JOINING)},
    "WF-15": ("WF-14",),
    "WF-25": ("WF-26", "WF-27"),
    "WF-30": ("WF-28",),
    "WF-36": ("WF-56",),
    "WF-38": ("WF-57", "WF-59"),
    "WF-71": ("WF-70",),
}
"""What need not be told where another rule has an objection to the same place, which the same change answers.

Whoever may not join a unit leaves it for one reason as for two: a Hellcannon is a monster and unbreakable, a swarm a
swarm and unstable. What a model may not have at all is not judged besides; beside a magic weapon no other one is used.
"""


def without_repeats(army: Army, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The findings, each cause once.

    An army standard bearer who is named General (WF-14) is not also one of too little leadership (WF-04), and nobody
    shares the highest leadership with him (WF-05), as he cannot lead; two magic suits are two items of one category
    (WF-23), and two suits (WF-32) besides; a regiment that carries the army standard (WF-15) is no second bearer
    (WFX-05).
    """
    said = {(superfluous, finding.at) for finding in findings for superfluous in SUPERFLUOUS.get(finding.rule, ())}
    bearer_leads = any(finding.rule == "WF-14" for finding in findings)
    crowded = {finding.at for finding in findings if finding.rule == "WF-23"}
    for at, unit in army.places:
        if f"{at}/magic_items" in crowded and sum(1 for _ in unit.items_of("armour")) > 1:
            said.add(("WF-32", f"{at}/armour"))
    bearers = Counter(unit.army for _, unit in army.characters if unit.army_standard)
    for at, unit in army.places:
        if unit.army_standard and bearers[unit.army] < 2:
            said.add(("WFX-05", f"{at}/army_standard"))
    might_lead = [ld for _, unit in army.characters if (ld := unit.profile.Ld) is not None and not unit.army_standard]
    if might_lead.count(max(might_lead, default=0)) < 2:
        said |= {("WF-05", finding.at) for finding in findings}
    return tuple(
        finding
        for finding in findings
        if (finding.rule, finding.at) not in said and not (finding.rule == "WF-04" and bearer_leads)
    )
