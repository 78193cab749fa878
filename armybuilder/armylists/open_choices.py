"""What is still to be chosen in units and in the list: errors that say no more than that, told from the others."""

from math import ceil

from armybuilder.armylists.reports import ListFinding, ListReport
from armybuilder.engine.findings import Severity
from armybuilder.engine.roster.data_findings import data_findings
from armybuilder.engine.roster.state import ErrorKind, RosterError
from armybuilder.engine.systems.game import LIST_RULES


def is_choice(finding: ListFinding) -> bool:
    """Whether a finding only says that something in a unit is still to be chosen."""
    return finding.rule == "BS-01" and finding.unit_id is not None


def open_choices(report: ListReport) -> list[tuple[ListFinding, RosterError]]:
    """The errors of a report that are choices not made yet, each with what its data asks for.

    A share of something is no choice: it is mended elsewhere than in the place that lacks it.
    """
    found = [finding for finding in report.findings if is_choice(finding)]
    if not found:
        return []
    asked = {  # the report's own words of what is too little are no others, whatever would help
        (error.node_id, said.message.en): error
        for error, said in zip(report.state.errors, data_findings(report.state), strict=True)
        if error.kind is ErrorKind.MIN and not error.percent
    }
    pairs = ((finding, asked.get((finding.node_id, finding.message.en))) for finding in found)
    return [(finding, error) for finding, error in pairs if error is not None]


def number_lacking(error: RosterError) -> int:
    """How many more it asks for."""
    return ceil((error.limit or 0) - (error.current or 0))


def lacks_only(report: ListReport) -> bool:
    """Whether all errors of a list say what it still lacks, and none that something in it is wrong."""
    pack = LIST_RULES.get(report.rule_pack or "")
    rules = pack.rules.rules if pack is not None else {}
    by_data = {finding for error, finding in report.objections if error.kind is ErrorKind.MIN}

    def is_lack(finding: ListFinding) -> bool:
        rule = rules.get(finding.rule)
        match rule.lacks if rule is not None else "never":
            case "always":
                return True
            case "unplaced":
                return finding.node_id is None
            case "minimum":
                return _repeats_minimum(finding, report)
        return finding in by_data

    return all(is_lack(finding) for finding in report.findings if finding.severity is Severity.ERROR)


def _repeats_minimum(finding: ListFinding, report: ListReport) -> bool:
    """Whether what the data says of the same place and name is that there are too few."""
    kinds = {
        error.kind
        for error, _ in report.objections
        if error.node_id == finding.node_id and error.name in finding.message.en
    }
    return kinds == {ErrorKind.MIN}
