"""What does it buy: from an option in the builder to the answer, with scripts and without; targets typed by hand."""

import re
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from django.utils import translation

from armybuilder.armylists.errors import EditRefused
from armybuilder.armylists.models import ShareLink
from armybuilder.armylists.what_if import builds_by_option
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference.names import AS_THEY_ARE, Names
from armybuilder.simulations import queries, targets
from armybuilder.simulations.models import SavedTarget, SimulationRun
from armybuilder.simulations.tasks import perform_computation
from armybuilder.web.pages.upgrade_answers import upgrade_view
from tests.armylists.conftest import Muster
from tests.simulations.test_upgrades import option_of

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
MARINES = "horus-heresy/power-armour"
OGRE = {
    "name": "My ogre",
    "points": "50",
    "models.0.count": "3",
    "models.0.type": "infantry",
    "models.0.profile.WS": "4",
    "models.0.profile.T": "5",
    "models.0.profile.W": "3",
    "models.0.profile.Sv": "5+",
    "models.0.weapons.1.name": "Club",
    "models.0.weapons.1.type": "Melee",
    "models.0.weapons.1.S": "User",
}


@pytest.fixture
def fist(built: Muster) -> dict[str, str]:
    """The power fist of the squad's sergeant, as pages name it."""
    squad = built.document.roster.forces[0].selections[1].id
    option = option_of(built, squad, "Power Fist")
    return {"node": option["parent_id"], "entry": option["entry_id"]}


def perform(run: SimulationRun) -> None:
    if not run.is_finished:
        perform_computation(str(run.computation_id))


def address(built: Muster) -> str:
    return reverse("web:list-upgrade", args=[built.list_id])


def test_every_option_of_the_builder_leads_to_the_question(
    built: Muster, as_owner: Client, fist: dict[str, str]
) -> None:
    squad = built.document.roster.forces[0].selections[1].id
    pane = as_owner.get(reverse("web:list", args=[built.list_id]), {"unit": squad}).content.decode()
    assert f'href="{address(built)}?node={squad}"' in pane
    page = as_owner.get(address(built), {"node": squad}).content.decode()
    links = re.findall(r'href="([^"]*/upgrade/\?[^"]*)"', page)
    assert len(links) > 10
    link = next(one for one in links if "power-fist" in one)
    question = as_owner.get(link.replace("&amp;", "&")).content.decode()
    assert "Power Fist" in question
    assert question.count("checked") >= 4
    assert "<html" not in as_owner.get(address(built), fist, headers=HTMX).content.decode()
    bare = as_owner.get(address(built))  # a form that was refused leaves it in the address field
    assert (bare.status_code, bare.headers["Location"]) == (302, reverse("web:list", args=[built.list_id]))


def test_only_units_of_the_list_have_options_to_compare(built: Muster, as_owner: Client, as_stranger: Client) -> None:
    squad = built.document.roster.forces[0].selections[1].id
    assert as_owner.get(address(built), {"node": "nothing"}).status_code == 404
    assert as_stranger.get(address(built), {"node": squad}).status_code == 404
    assert "<html" not in as_owner.get(address(built), {"node": squad}, headers=HTMX).content.decode()


def test_from_the_form_to_the_answer_without_scripts(built: Muster, as_owner: Client, fist: dict[str, str]) -> None:
    before = built.row.document
    sent = {**fist, "standard": [MARINES], "distance": "12", "facing": "front"}
    answer = as_owner.post(address(built), sent)
    run = SimulationRun.objects.get()
    assert answer.url == reverse("web:matchup", args=[run.pk])
    perform(run)
    page = as_owner.get(answer.url).content.decode()
    assert "It costs 15 points." in page
    assert "10 Legionaries" in page
    assert "mostly" in page
    assert re.search(r"Most of all against “10 Legionaries.*for every point it costs", page)
    assert "assault on 10 Legionaries" in page
    assert "No difference: Tactical Squad: shooting at 10 Legionaries" in page
    assert "What the figures rest on" in page
    assert built.row.document == before
    again = as_owner.get(address(built), fist).content.decode()
    assert re.findall(r'value="([^"]*)"[^>]*checked', again) == [MARINES]


def test_in_the_dialog_the_answer_stays_in_the_dialog(built: Muster, as_owner: Client, fist: dict[str, str]) -> None:
    sent = {**fist, "standard": [MARINES], "distance": "12"}
    answer = as_owner.post(address(built), sent, headers=HTMX)
    run = SimulationRun.objects.get()
    assert answer.url == reverse("web:matchup", args=[run.pk]) + "?inside=1"
    waiting = as_owner.get(answer.url, headers=HTMX).content.decode()
    assert "?inside=1" in waiting
    perform(run)
    done = as_owner.get(answer.url, headers=HTMX)
    assert done.status_code == 200
    assert "It costs 15 points." in done.content.decode()
    assert "<html" not in done.content.decode()


def test_units_of_a_shared_list_and_own_targets(built: Muster, as_owner: Client, fist: dict[str, str]) -> None:
    as_owner.post(reverse("web:list-share-publish", args=[built.list_id]), {"days": "0"})
    link = f"http://testserver/s/{ShareLink.objects.get().token}/"
    as_owner.post(reverse("web:target-new"), OGRE)
    target = SavedTarget.objects.get()
    page = as_owner.get(address(built), {**fist, "opponent": link}).content.decode()
    praetor = built.document.roster.forces[0].selections[0].id
    assert f'value="{praetor}"' in page
    sent = {**fist, "opponent": link, "units": [praetor], "saved": [str(target.pk)], "distance": "12"}
    as_owner.post(address(built), sent)
    run = SimulationRun.objects.get()
    perform(run)
    page = as_owner.get(reverse("web:matchup", args=[run.pk])).content.decode()
    assert "My ogre" in page
    assert "Praetor" in page
    wrong = as_owner.get(address(built), {**fist, "opponent": "https://elsewhere.example/"})
    assert 'role="alert"' in wrong.content.decode()


@pytest.mark.parametrize(
    ("case", "sent"),
    [
        ("nothing ticked", {}),
        ("no yardstick", {"standard": ["horus-heresy/x"]}),
        ("a distance below nothing", {"standard": [MARINES], "distance": "-1"}),
        ("somebody's target", {"saved": ["6c84fb90-12c4-11e1-840d-7b25c5ee775a"]}),
    ],
)
def test_what_cannot_be_asked_is_refused(
    built: Muster, as_owner: Client, fist: dict[str, str], case: str, sent: dict[str, Any]
) -> None:
    assert as_owner.post(address(built), {**fist, "distance": "12", **sent}).status_code == 422, case
    assert not SimulationRun.objects.exists()


def test_a_stranger_finds_nothing(built: Muster, as_owner: Client, as_stranger: Client, fist: dict[str, str]) -> None:
    assert as_stranger.get(address(built), fist).status_code == 404
    assert as_stranger.post(address(built), {**fist, "standard": [MARINES], "distance": "12"}).status_code == 404
    assert not SimulationRun.objects.exists()
    as_owner.post(reverse("web:target-new"), OGRE)
    target = SavedTarget.objects.get()
    before = list(SavedTarget.objects.values())
    for name in ("web:target", "web:target-delete"):
        assert as_stranger.post(reverse(name, args=[target.pk]), OGRE | {"name": "Taken over"}).status_code == 404
    assert "My ogre" not in as_stranger.get(reverse("web:targets")).content.decode()
    assert list(SavedTarget.objects.values()) == before


def test_points_of_a_target_are_shown_as_they_were_typed(game: Any, as_owner: Client) -> None:
    """A hundred came back as 1E+2."""
    as_owner.post(reverse("web:target-new"), OGRE | {"points": "100"})
    page = as_owner.get(reverse("web:target", args=[SavedTarget.objects.get().pk])).content.decode()
    assert re.search(r'name="points"[^>]* value="100"', page) or re.search(r'value="100"[^>]* name="points"', page)


def test_a_target_from_the_form_to_the_bin(game: Any, as_owner: Client) -> None:
    page = as_owner.get(reverse("web:target-new")).content.decode()
    assert "Toughness" in page
    assert as_owner.post(reverse("web:target-new"), OGRE).url == reverse("web:targets")
    target = SavedTarget.objects.get()
    side = targets.side_of(target)
    assert side["models"] == [
        {
            "name": "My ogre",
            "count": 3,
            "type": "infantry",
            "profile": {"WS": 4, "T": 5, "W": 3, "Sv": "5+"},
            "weapons": [{"name": "Club", "type": "Melee", "S": "User"}],
        }
    ]
    shown = as_owner.get(reverse("web:target", args=[target.pk])).content.decode()
    assert 'value="Club"' in shown
    changed = OGRE | {"models.0.profile.T": "6", "models.0.rules": "Fear (1), Bulky (3)"}
    as_owner.post(reverse("web:target", args=[target.pk]), changed)
    target.refresh_from_db()
    assert targets.side_of(target)["models"][0]["rules"] == ["Fear (1)", "Bulky (3)"]
    assert targets.side_of(target)["models"][0]["profile"]["T"] == 6
    as_owner.post(reverse("web:target-delete", args=[target.pk]))
    assert not SavedTarget.objects.exists()


@pytest.mark.parametrize(
    ("case", "facts", "beside"),
    [
        ("no name", {"name": ""}, "id_name"),
        ("a save that is none", {"models.0.profile.Sv": "good"}, "id_models.0.profile.Sv"),
        ("too many models", {"models.0.count": "10000"}, "id_models.0.count"),
        ("a weapon without a type", {"models.0.weapons.0.name": "Rock"}, ""),
    ],
)
def test_a_unit_that_cannot_be_read_is_refused_beside_its_field(
    game: Any, as_owner: Client, case: str, facts: dict[str, str], beside: str
) -> None:
    answer = as_owner.post(reverse("web:target-new"), OGRE | facts)
    assert answer.status_code == 422, case
    page = answer.content.decode()
    place = page.index(f'id="{beside}"') if beside else 0
    assert 0 < page.index('role="alert"', place) - place < 1500 or not beside, case
    assert not SavedTarget.objects.exists()


def test_a_guest_may_keep_targets(game: Any, client: Client) -> None:
    client.post(reverse("web:target-new"), OGRE)
    assert SavedTarget.objects.get().guest_key is not None
    assert "My ogre" in client.get(reverse("web:targets")).content.decode()


@pytest.mark.parametrize("page", ["targets", "target-new", "matchup-new"])
def test_games_are_named_in_the_language_of_the_page(game: Any, client: Client, page: str) -> None:
    first = PublishedSystem.objects.get()
    PublishedSystem.objects.filter(pk=first.pk).update(name_ru="Ересь Хоруса")
    PublishedSystem.objects.create(
        id="another", name="Another", rule_pack="wh40k-6th", current_release=first.current_release, position=200
    )
    client.post(reverse("web:target-new"), OGRE)
    with translation.override("ru"):
        shown = client.get(reverse(f"web:{page}"), headers={"Accept-Language": "ru"}).content.decode()
    assert "Ересь Хоруса" in shown
    assert first.name not in shown


OUTCOME = {"counted": "models_slain", "mean": 1.0, "distribution": {"0": 0.25, "1": 0.5, "2": 0.25}}


def compared(**facts: Any) -> dict[str, Any]:
    row = {"attack": "shooting", "way": "forth", "without": OUTCOME, "with": OUTCOME, "change": 0.0}
    return row | {"points_change": 0.0, "return_on_price": None} | facts


def answer_of(*rows: dict[str, Any], price: float = 10.0, unknown: tuple[str, ...] = ()) -> dict[str, Any]:
    target = {"name": "Tank", "army": "Theirs", "points": 100.0, "models": 1, "unknown": [], "attacks": list(rows)}
    build = {"points": 100.0, "models": 10, "unknown": []}
    return {
        "system": "horus-heresy",
        "conditions": {},
        "option": "Gun",
        "price": price,
        "unit": {"id": "u", "name": "Squad", "army": "Mine"},
        "without": build,
        "with": build | {"points": 100.0 + price, "unknown": list(unknown)},
        "targets": [target],
    }


def test_differences_in_words() -> None:
    dearer = OUTCOME | {"mean": 2.0, "per_100_points": 30.0, "chances": {"p_destroyed": 0.5}}
    before = OUTCOME | {"per_100_points": 20.0, "chances": {"p_destroyed": 0.25}}
    better = compared(**{"with": dearer, "without": before}, change=1.0, points_change=25.0, return_on_price=2.5)
    worse = compared(way="back", change=0.5, points_change=-5.0)
    view = upgrade_view(answer_of(better, worse, compared(attack="assault")), AS_THEY_ARE)
    assert view.price == "It costs 10 points."
    assert view.best == (
        "Most of all against “Tank” (Shooting): 25.0 points more on average. That is 2.50 for every point it costs."
    )
    dear = compared(**{"with": OUTCOME | {"points_lost": 12.0}, "without": OUTCOME | {"points_lost": 5.0}})
    (paid,) = upgrade_view(answer_of(dear | {"change": 0.02, "points_change": -6.1}), AS_THEY_ARE).targets[0].rows
    assert (paid.sign, paid.worth) == ("worse", "−6.1 pts; destroyed +0.9, own losses +7.0")
    (target,) = view.targets
    first, second = target.rows
    assert (first.without, first.having, first.change, first.sign) == (
        "1.00 (mostly 0–2)",
        "2.00 (mostly 0–2)",
        "+1.00",
        "better",
    )
    assert first.worth == "+25.0 pts; per 100 points of the unit: 20.0 → 30.0; wiped out: 25% → 50%"
    assert (second.title, second.sign) == ("Tank: shooting at Squad", "worse")
    assert target.same == ("Squad: assault on Tank",)


def test_what_is_not_understood_and_what_gains_nothing() -> None:
    view = upgrade_view(answer_of(compared(), price=-5.0, unknown=("Melta bombs",)), AS_THEY_ARE)
    assert (view.price, view.best, view.not_understood) == ("It saves 5 points.", "", ("Melta bombs",))


def test_where_only_shooting_is_worked_out_that_is_said() -> None:
    """A power klaw of 40k gained nothing, and no word told that nobody had struck with it."""
    assert upgrade_view(answer_of(compared()), AS_THEY_ARE).shoots_only
    assert not upgrade_view(answer_of(compared(), compared(attack="assault")), AS_THEY_ARE).shoots_only
    view = upgrade_view(answer_of(compared()), AS_THEY_ARE)
    assert "Only shooting is worked out" in render_to_string("matchups/_upgrade.html", {"upgrade": view})


def test_a_counter_prices_one_more_and_five_more(built: Muster, as_owner: Client) -> None:
    squad = built.document.roster.forces[0].selections[1].id
    option = option_of(built, squad, "Legionary")
    asked = {"node": option["parent_id"], "entry": option["entry_id"]}
    page = as_owner.get(address(built), asked).content.decode()
    assert "1 more: +10 pts" in page and "5 more: +50 pts" in page
    assert re.search(r'name="more" value="1" checked', page)
    plain = {"standard": MARINES, "distance": "12", "facing": "front"}
    for more, price in (("1", 10.0), ("5", 50.0)):
        as_owner.post(address(built), asked | plain | {"more": more})
        run = SimulationRun.objects.latest("created")
        perform(run)
        result = queries.result_of(SimulationRun.objects.get(pk=run.pk))
        assert (result["option"], result["price"]) == (f"+{more} × Legionary", price)
        assert result["with"]["models"] - result["without"]["models"] == int(more)
    with translation.override("ru"):
        names = Names({"Legionary": "Легионер"})
        assert upgrade_view(result, names).option == "+5 × Легионер"


def test_what_is_taken_once_is_not_counted(built: Muster, as_owner: Client, fist: dict[str, str]) -> None:
    assert 'name="more"' not in as_owner.get(address(built), fist).content.decode()
    with pytest.raises(EditRefused):
        builds_by_option(built.row, parent_id=fist["node"], entry_id=fist["entry"], more=1)
