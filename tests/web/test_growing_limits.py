"""A unit whose limit grows with what else is taken may be taken before that: players start with the leader."""

import re

import pytest
from django.test import Client

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import queries, services
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.engine.findings import Text
from armybuilder.engine.roster.explain import Explanation, Reason
from armybuilder.reference import publishing
from armybuilder.reference.names import Names
from armybuilder.web.pages.add_screen import said
from tests.gamedata_files import CAPTAIN, SQUAD, catalogue, release

pytestmark = pytest.mark.django_db

ONE_EACH = """<modifiers><modifier type="increment" field="{key}-most" value="1"><repeats>
  <repeat value="1" repeats="1" field="selections" scope="force" childId="captain" shared="true" roundUp="false"/>
  </repeats></modifier></modifiers>"""
AT_MOST = """<constraints>
  <constraint type="max" value="0" field="selections" scope="force" shared="true" id="{key}-most"/></constraints>"""


def limited(unit: str, key: str, *rules: str) -> str:
    return unit.replace("<categoryLinks>", "".join(rule.format(key=key) for rule in rules) + "<categoryLinks>", 1)


def test_what_grows_is_offered_with_its_reason_and_what_does_not_is_closed(as_owner: Client, viewer: Viewer) -> None:
    system = PublishedSystem.objects.create(id="invented", name="Invented Game")
    mob = limited(SQUAD, "squad", AT_MOST, ONE_EACH)
    closed = limited(SQUAD.replace("squad", "guard").replace("Line Squad", "Guard"), "guard", AT_MOST)
    publishing.publish(system, release(catalogue("red", "Red Host", CAPTAIN, mob, closed)), origin="test")
    made = services.create_army_list(viewer, system_id=system.pk, name="Host", catalogue_id="red")
    force = services.check_army_list(made).state.forces[0].id
    page = as_owner.get(f"/lists/{made.pk}/", {"add": force}).content.decode()
    offers = {
        name: part for part in page.split('<div class="offer')[1:] for name in re.findall(r"<strong>([^<]+)<", part)[:1]
    }
    button = re.compile(r'<button class="button button--icon offer__add"[^>]*>')
    assert "One for each Captain: you have 0, so 0" in offers["Line Squad"]
    assert "disabled" not in button.findall(offers["Line Squad"])[0]
    assert "Not allowed here" in offers["Guard"]
    assert "disabled" in button.findall(offers["Guard"])[0]
    edit = e.AddUnit(force_id=force, entry_id="squad")
    services.apply_edit(viewer, made.pk, edit, expected_revision=made.revision)
    report = services.check_army_list(queries.own_army_list(made.pk, viewer))
    assert "BS-02" in {finding.rule for finding in report.findings}


def test_a_reason_beside_an_offer_tends_names_of_the_data() -> None:
    text = Text("At most 30% of HQ: in Host v60; there are 40%.", "Не больше 30% «HQ:» в «Host v60»; сейчас 40%.")
    found = Explanation(
        entry_id="squad",
        name="Squad",
        blocked=True,
        reasons=(Reason(kind="maximum", text=text, holds=True),),
        repairs=(),
    )
    assert said(found, Names(), {"HQ:", "Host v60"}) == ("At most 30% of HQ in Host; there are 40%",)
