"""Rules that object to the same thing for two reasons: which of them a list tells."""

from armybuilder.engine.findings import Finding
from armybuilder.engine.systems.fantasy_8th.army import Army

ABOUT_JOINING = ("WF-46", "WF-47", "WF-48", "WF-50", "WF-51", "WF-54")
"""Why a character may not stand in a unit, the plainest reason first."""


def without_repeats(_: Army, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The findings, each cause once.

    Whoever may not join a unit leaves it for one reason as for two (a Hellcannon is a monster and unbreakable). An army
    standard bearer who is named General (WF-14) is not also one of too little leadership (WF-04).
    """
    named_wrongly = any(finding.rule == "WF-14" for finding in findings)
    reasons: dict[str | None, str] = {}
    for finding in sorted(findings, key=lambda one: one.rule):
        if finding.rule in ABOUT_JOINING:
            reasons.setdefault(finding.at, finding.rule)
    return tuple(
        finding
        for finding in findings
        if not (finding.rule in ABOUT_JOINING and reasons[finding.at] != finding.rule)
        and not (finding.rule == "WF-04" and named_wrongly)
    )
