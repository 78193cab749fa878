"""The rules of list building of Epic, in the order they run."""

from armybuilder.engine.systems.epic.army import Army
from armybuilder.engine.systems.epic.list_rules import composition, datasheets, deployment, transport
from armybuilder.engine.systems.epic.list_rules.rules import TABLE
from armybuilder.engine.systems.list_rules import Check, ListRules

CHECKS: tuple[Check, ...] = (*composition.CHECKS, *datasheets.CHECKS, *transport.CHECKS, *deployment.CHECKS)


RULES = ListRules(
    system="epic",
    rules=TABLE,
    army_type=Army,
    checks=CHECKS,
    usual_limit=3000,
    restatements={
        "BS-01": ("EPL-01", "EPL-04"),
        "BS-02": ("EPL-01", "EPL-02", "EPL-03", "EPL-04", "EPL-05", "EPL-06", "EPL-07", "EPL-08"),
        "BS-03": ("EPL-02", "EPL-09"),
        "BS-04": ("EPL-10",),
    },
    roleless=frozenset({"EPL-02", "EPL-08", "EPL-09"}),
)
