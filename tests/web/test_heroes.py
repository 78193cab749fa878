"""The hero's page: forms and buttons become edits, findings lead to their place, and it reads in both languages."""

import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from armybuilder.armylists import edits as e
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.services import publish_share_link
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.engine.systems.relic.hero import Action, Asset, Bonus, PowerCard, PowerLimit, Trophy
from armybuilder.heroes import edits as h
from armybuilder.simulations.models import SimulationRun
from armybuilder.simulations.tasks import perform_computation
from tests.armylists.conftest import Muster, draft, heresy, muster, viewer
from tests.heroes.hero import CAPTAIN, HeroInHand, captain, hero_viewer, new_hero, relic
from tests.heroes.test_verdicts import FIRED

__all__ = ["captain", "draft", "heresy", "hero_viewer", "muster", "new_hero", "relic", "viewer"]

LIFE = {"edit": "set_dial", "dial": "life", "value": 1}
HTMX = {"HX-Request": "true", "HX-Target": "detail"}


@pytest.fixture
def browser(client: Client, captain: HeroInHand) -> Client:
    """The owner's browser."""
    client.force_login(captain.row.owner)  # type: ignore[arg-type]
    return client


def send(browser: Client, hero: HeroInHand, *, htmx: bool = False, **fields: Any) -> Any:
    data = {"revision": hero.row.revision, **fields}
    return browser.post(f"/lists/{hero.list_id}/hero/", data, headers=HTMX if htmx else None)


def press(browser: Client, hero: HeroInHand, **members: Any) -> Any:
    """A button of the page: its value is a query."""
    return send(browser, hero, do=urlencode(members, doseq=True))


@pytest.mark.parametrize(
    "names", [("Level", "Players", "Corruption threshold"), ("Уровень", "Игроки", "Лимит карт Порчи")]
)
def test_every_counter_has_its_name_before_it(browser: Client, captain: HeroInHand, names: tuple[str, ...]) -> None:
    captain.edit(h.TakeAsset(card=Asset(name="Power Sword", kind="wargear", asset_class="weapon", charge_value=3)))
    language = {"Accept-Language": "en" if names[0].isascii() else "ru"}
    page = browser.get(f"/lists/{captain.list_id}/", headers=language).content.decode()
    for name in names:
        assert re.search(rf"<(h2|h3|span)[^>]*>{name}<", page), name
    assert re.search(r"<h[1-6][^>]*>\s*</h", page) is None
    paper = browser.get(f"/lists/{captain.list_id}/print/", headers=language).content.decode()
    assert re.search(r"<span>(Charges|Заряды): 3</span>", paper)


def test_the_page_shows_the_whole_hero(browser: Client, captain: HeroInHand) -> None:
    captain.edit(
        h.TakePowerCard(card=PowerCard(number=5, name="Steady Aim")),
        h.TakeAsset(card=Asset(name="Power Sword", kind="wargear", asset_class="weapon", charge_value=3)),
        h.DrawCorruption(activation=4),
        h.TakeTrophy(card=Trophy(points=4)),
    )
    page = browser.get(f"/lists/{captain.list_id}/").content.decode()
    for expected in (
        'id="dial-strength"',
        'aria-label="Strength: 6"',
        'id="track-6"',
        "Steady Aim",
        "Power Sword",
        'name="charges" id="n-charges-0" value="3"',
        'id="corruption-0"',
        'id="trophies-0"',
        "verdict--legal",
        "3 Power cards",
    ):
        assert expected in page, expected
    assert page.count("slot-card--empty") == 2 + 3 + 4  # hand of 3, 4 assets, 5 corruption cards below the threshold


@pytest.mark.parametrize("rule", FIRED)
def test_every_finding_leads_to_its_place(rule: str, browser: Client, captain: HeroInHand) -> None:
    FIRED[rule](captain)
    page = browser.get(f"/lists/{captain.list_id}/").content.decode()
    finding = re.search(rf'<article class="finding.*?{rule}.*?</article>', page, re.DOTALL)
    assert finding
    lines = [line for line in page.split("</article>") if f">{rule}</span>" in line]
    assert lines
    for line in lines:
        anchor = re.search(r'data-culprit="([^"]+)"', line)
        assert anchor, line
        assert f'id="{anchor.group(1)}"' in page


def test_the_page_is_russian(browser: Client, captain: HeroInHand) -> None:
    captain.edit(h.TakeAsset(card=Asset(name="Power Sword", charge_value=3)), h.SetDial(dial="strength", value=13))
    browser.cookies["django_language"] = "ru"
    page = browser.get(f"/lists/{captain.list_id}/").content.decode()
    for expected in ("Капитан Ультрамаринов", "Силовой меч", "Сила Воли", "после фазы Опыта", "Не по правилам"):
        assert expected in page, expected


def test_somebody_else_s_hero_is_not_there(client: Client, captain: HeroInHand, stranger: object) -> None:
    client.force_login(stranger)  # type: ignore[arg-type]
    assert client.get(f"/lists/{captain.list_id}/").status_code == 404
    assert client.post(f"/lists/{captain.list_id}/hero/", {"edit": "undo", "revision": 2}).status_code == 404


def test_forms_need_their_token(captain: HeroInHand) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(captain.row.owner)  # type: ignore[arg-type]
    answer = strict.post(
        f"/lists/{captain.list_id}/hero/", {"edit": "set_dial", "dial": "life", "value": 1, "revision": 2}
    )
    assert answer.status_code == 403
    assert captain.hero.life == 5


def test_an_army_has_no_hero_page(client: Client, draft: Muster) -> None:
    client.force_login(draft.row.owner)  # type: ignore[arg-type]
    answer = client.post(
        f"/lists/{draft.list_id}/hero/", {"edit": "set_dial", "dial": "life", "value": 1, "revision": 1}
    )
    assert answer.status_code == 404


@pytest.mark.parametrize(
    ("fields", "made"),
    [
        ({"edit": "set_dial", "dial": "life", "value": "7"}, lambda hero: hero.hero.life == 7),
        ({"edit": "set_dial", "dial": "life", "value": ""}, lambda hero: hero.hero.life is None),
        ({"edit": "set_dial", "dial": "influence", "value": "−2"}, lambda hero: hero.hero.influence == -2),
        (
            {"edit": "set_moment", "checkpoint": "mid_turn", "experience_skipped": "on"},
            lambda hero: (hero.hero.checkpoint, hero.hero.experience_skipped) == ("mid_turn", True),
        ),
        ({"edit": "set_tier", "tier": "inner"}, lambda hero: hero.hero.tier == "inner"),
        (
            {"edit": "set_character", "card": "Battle Sister"},
            lambda hero: (hero.row.faction_names, hero.hero.level) == ("Battle Sister", 6),
        ),
        (
            {"edit": "set_character", "card": "Battle Sister", "set_up": "on"},
            lambda hero: (hero.hero.level, hero.hero.life) == (0, 5),
        ),
        (
            {
                "edit": "set_character", "name": "Mine", "strength": "3", "life": "4", "asset_limit": "5",
                "band_to_1": "4", "band_limit_1": "2", "band_to_2": "12", "band_limit_2": "3", "band_to_3": "",
            },
            lambda hero: hero.hero.character.power_limits == (PowerLimit(0, 4, 2), PowerLimit(5, 12, 3)),
        ),
        (
            {"edit": "take_power_card", "card": "Steady Aim"},
            lambda hero: hero.hero.power_cards == (PowerCard(number=5, name="Steady Aim"),),
        ),
        (
            {"edit": "take_power_card", "number": "2", "name": ""},
            lambda hero: hero.hero.power_cards == (PowerCard(number=2),),
        ),
        (
            {"edit": "take_asset", "card": "Needle Rifle"},
            lambda hero: (hero.hero.assets[0].name, hero.hero.assets[0].charges) == ("Needle Rifle", 2),
        ),
        (
            {
                "edit": "take_asset", "name": "Bat", "kind": "wargear", "class": "weapon", "battle_value": "2",
                "battle_color": "red", "skill_value": "", "skill_color": "red", "charge_value": "1",
            },
            lambda hero: hero.hero.assets == (
                Asset(
                    name="Bat", kind="wargear", asset_class="weapon", battle_bonus=Bonus(color="red", value=2),
                    charge_value=1, charges=1,
                ),
            ),
        ),
        (
            {"edit": "draw_corruption", "activation": "1", "face": ""},
            lambda hero: hero.hero.corruption[0].face == "up",
        ),
        (
            {"edit": "take_trophy", "points": "3", "source": "scenario"},
            lambda hero: hero.hero.trophies == (Trophy(points=3, source="scenario"),),
        ),
        (
            {"edit": "plan_action", "action": "buy_wargear", "card": "Power Sword", "space": "elsewhere"},
            lambda hero: hero.document.actions == (
                Action(action="buy_wargear", card="Power Sword", cost=4, space="elsewhere"),
            ),
        ),
        (
            {"edit": "plan_action", "action": "use_power_card", "use": ["number", "effect"]},
            lambda hero: hero.rules() == ["RL-24"],
        ),
        (
            {"edit": "set_out_of_game", "characters": " A , B ,"},
            lambda hero: hero.hero.corrupted_characters == ("A", "B"),
        ),
        ({"edit": "set_name", "name": "Next"}, lambda hero: hero.row.name == "Next"),
        ({"edit": "set_notes", "notes": "line"}, lambda hero: hero.document.notes == "line"),
    ],
    ids=lambda value: value["edit"] if isinstance(value, dict) else "",
)  # fmt: skip
def test_a_form_is_an_edit(
    fields: dict[str, Any], made: Callable[[HeroInHand], bool], browser: Client, captain: HeroInHand
) -> None:
    answer = send(browser, captain, **fields)
    assert answer.status_code == 302, answer.content.decode()[:2000]
    assert made(captain)


def test_charges_have_the_stepper_of_every_number(browser: Client, captain: HeroInHand) -> None:
    captain.edit(h.TakeAsset(card=Asset(name="Rod", charge_value=2)))
    page = browser.get(f"/lists/{captain.list_id}/").content.decode()
    stepper = next(part for part in page.split('<form class="stepper"') if 'id="n-charges-0"' in part).split("</form>")[
        0
    ]
    sent = dict(re.findall(r'name="(edit|index|charges)"(?: id="[^"]*")? value="([^"]*)"', stepper))
    assert sent == {"edit": "set_charges", "index": "0", "charges": "2"}
    assert 'aria-label="Rod, Charges: one fewer"' in stepper
    press(browser, captain, **sent | {"charges": "5"})
    assert captain.hero.assets[0].charges == 5


def test_buttons_are_edits(browser: Client, captain: HeroInHand) -> None:
    captain.edit(h.TakeAsset(card=Asset(name="Sword & Shield", charge_value=2)), h.DrawCorruption(activation=2))
    press(browser, captain, edit="set_charges", index=0, charges=1)
    press(browser, captain, edit="set_kit", kit="battle", cards=["Sword & Shield"])
    press(browser, captain, edit="turn_corruption", index=0, face="up")
    hero = captain.hero
    assert (hero.assets[0].charges, hero.battle_kit, hero.corruption[0].face) == (1, ("Sword & Shield",), "up")
    press(browser, captain, edit="set_kit", kit="battle")
    press(browser, captain, edit="give_back", pile="assets", index=0)
    assert (captain.hero.assets, captain.hero.battle_kit) == ((), ())
    press(browser, captain, edit="undo")
    assert len(captain.hero.assets) == 1
    press(browser, captain, edit="redo")
    assert captain.hero.assets == ()


def test_what_the_rules_call_for_is_one_button(browser: Client, captain: HeroInHand) -> None:
    captain.edit(
        *[h.TakeTrophy(card=Trophy(points=points)) for points in (4, 3, 2)],
        h.SetDial(dial="completed_missions", value=3),
        *[h.DrawCorruption(activation=1) for _ in range(6)],
    )
    page = browser.get(f"/lists/{captain.list_id}/").content.decode()
    spend = re.search(r'value="([^"]+)" id="b-spend"', page)
    assert spend
    send(browser, captain, do=spend.group(1).replace("&amp;", "&"))
    assert (captain.hero.level, captain.hero.trophies) == (7, (Trophy(points=3),))
    send(browser, captain, edit="trade_missions", card="Skull of the Martyr")
    assert [card.name for card in captain.hero.assets] == ["Skull of the Martyr"]
    send(browser, captain, edit="fall", card="Battle Sister")
    assert (captain.row.faction_names, captain.row.verdict) == ("Battle Sister", "legal")
    assert 'id="b-fall"' not in browser.get(f"/lists/{captain.list_id}/").content.decode()


def test_every_button_of_the_page_can_be_pressed(browser: Client, captain: HeroInHand) -> None:
    """What the page writes into its buttons is what the server reads."""
    captain.edit(
        h.TakeAsset(card=Asset(name="Rod", kind="wargear", asset_class="weapon", charge_value=2)),
        h.TakePowerCard(card=PowerCard(number=1)),
        h.DrawCorruption(activation=2),
        h.TakeTrophy(card=Trophy(points=1)),
        h.SetDial(dial="life", value=0),
        h.PlanAction(action=Action(action="evade")),
    )
    page = browser.get(f"/lists/{captain.list_id}/").content.decode()
    values = [value.replace("&amp;", "&") for value in re.findall(r'name="do" value="([^"]+)"', page)]
    assert len(values) > 30
    for value in {*values} - {"edit=undo", "edit=redo"}:
        before = captain.row
        assert send(browser, captain, do=value).status_code == 302, value
        if captain.row.revision > before.revision:
            send(browser, captain, do="edit=undo")
            assert captain.row.document == before.document, value


def test_htmx_gets_the_sheet_and_what_else_changed(browser: Client, captain: HeroInHand) -> None:
    answer = send(browser, captain, htmx=True, edit="set_dial", dial="strength", value="13")
    text = answer.content.decode()
    assert "<html" not in text
    for part in ('id="detail"', 'id="army-bar"', 'id="findings"', 'id="revision"', "verdict--illegal", "RL-01"):
        assert part in text, part


def test_an_edit_by_script_may_tell_what_the_page_shows(browser: Client, captain: HeroInHand) -> None:
    page = browser.get(f"/lists/{captain.list_id}/").content.decode()
    have = "".join(re.findall(r'data-stamp="(\w+)"', page))
    assert have
    answer = send(browser, captain, htmx=True, do="edit=set_dial&dial=strength&value=13", have=have)
    assert answer.status_code == 200
    assert "RL-01" in captain.rules()
    assert "RL-01" in answer.content.decode()


@pytest.mark.parametrize(
    "fields",
    [
        {"edit": "set_dial", "dial": "life", "value": "many"},
        {"edit": "set_dial", "dial": "speed", "value": "1"},
        {"edit": "take_asset", "card": "Unheard of"},
        {"edit": "take_power_card", "card": "Unheard of"},
        {"edit": "set_character", "card": "Unheard of"},
        {"edit": "take_asset", "name": "", "kind": "relic"},
        {"edit": "give_back", "pile": "assets", "index": "9"},
        {"edit": "fall", "card": "Unheard of"},
        {"edit": "trade_missions", "card": "Unheard of"},
        {"edit": "spend_trophies"},
        {"edit": "dance"},
        {"edit": "add_unit", "force_id": "a", "entry_id": "b"},
    ],
    ids=str,
)
@pytest.mark.parametrize("htmx", [True, False])
def test_a_refused_edit_changes_nothing_and_says_why(
    fields: dict[str, Any], htmx: bool, browser: Client, captain: HeroInHand
) -> None:
    answer = send(browser, captain, htmx=htmx, **fields)
    assert answer.status_code == 422
    assert "Nothing was changed" in answer.content.decode()
    assert captain.row.revision == 2


def test_a_stale_edit_can_be_repeated(browser: Client, captain: HeroInHand) -> None:
    captain.dial("life", 4)
    address = f"/lists/{captain.list_id}/hero/"
    answer = browser.post(address, {"edit": "take_asset", "card": "Needle Rifle", "revision": 2}, headers=HTMX)
    text = answer.content.decode()
    assert answer.status_code == 409
    assert captain.hero.assets == ()
    again = re.search(r'name="do" value="([^"]+)"', text[text.index('role="alert"') :])
    assert again
    send(browser, captain, do=again.group(1).replace("&amp;", "&"))
    assert captain.document.hero.assets[0].name == "Needle Rifle"


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"do": "edit=undo"}, 302),
        ({"edit": "set_name", "name": "Q"}, 302),
        ({"edit": "add_unit", "force_id": "a", "entry_id": "b", "focus": "unit=3"}, 422),
        ({"edit": "set_name", "name": "Q", "revision": "1"}, 409),
    ],
    ids=str,
)
def test_an_edit_sent_to_the_army_builder_is_answered_too(
    fields: dict[str, Any], status: int, browser: Client, captain: HeroInHand
) -> None:
    address = f"/lists/{captain.list_id}/edit/"
    assert browser.post(address, {"revision": "2", **fields}, headers=HTMX).status_code == status


@pytest.mark.parametrize("part", ["why/", "impact/", "history/", "?unit=abc", "?pane=settings"])
def test_pages_of_army_lists_do_not_break_on_a_hero(part: str, browser: Client, captain: HeroInHand) -> None:
    assert browser.get(f"/lists/{captain.list_id}/{part}").status_code in (200, 302)


def test_starting_a_hero(client: Client, relic: PublishedSystem) -> None:
    page = client.get("/lists/new/?system=relic").content.decode()
    assert f'value="{CAPTAIN}" selected' in page
    answer = client.post("/lists/new/", {"system": "relic", "character": CAPTAIN, "name": ""})
    made = ArmyList.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, reverse("web:list", args=[made.pk]))
    assert (made.name, made.document_kind, made.guest_key is not None) == (CAPTAIN, "army", True)
    assert client.post("/lists/new/", {"system": "relic", "character": "Nobody"}).status_code == 422


def test_starting_a_hero_with_a_card_of_one_s_own(client: Client, relic: PublishedSystem) -> None:
    client.post("/lists/new/", {"system": "relic", "character": "", "name": "Mine"})
    made = ArmyList.objects.get()
    assert (made.name, made.faction_names) == ("Mine", "")
    assert "No character yet" in client.get(f"/lists/{made.pk}/").content.decode()


def test_shared_printed_listed_and_saved(browser: Client, captain: HeroInHand) -> None:
    captain.edit(e.SetNotes(notes="beware"))
    link = publish_share_link(captain.viewer, captain.list_id)
    stranger = Client()
    for address in (f"/s/{link.token}/", f"/s/{link.token}/print/"):
        page = stranger.get(address).content.decode()
        assert CAPTAIN in page
        assert 'aria-label="Strength: 6"' in page
        assert "verdict--legal" in page
        assert "beware" in page
        assert "/matchups/new/" not in page.split("<main")[1].split("</main>")[0]
    copied = stranger.post(f"/s/{link.token}/copy/")
    copy = ArmyList.objects.get(pk=UUID(copied["Location"].split("/")[2]))
    assert (copy.document_kind, copy.guest_key is not None) == ("army", True)
    saved = browser.get(f"/lists/{captain.list_id}/files/json/")
    assert saved["Content-Disposition"] == 'attachment; filename="First voyage.json"'
    assert saved.json()["hero"]["level"] == 6
    assert browser.get(f"/lists/{captain.list_id}/files/rosz/").status_code == 422
    assert CAPTAIN in browser.get("/lists/").content.decode()
    assert "First voyage" in browser.get("/").content.decode()


def test_the_history_reads_in_both_languages(browser: Client, captain: HeroInHand) -> None:
    captain.edit(h.TakeAsset(card=Asset(name="Power Sword")))
    assert "Took Power Sword" in browser.get(f"/lists/{captain.list_id}/history/").content.decode()
    browser.cookies["django_language"] = "ru"
    assert "Взято: Силовой меч" in browser.get(f"/lists/{captain.list_id}/history/").content.decode()


def test_the_game_s_page_lists_the_cards(client: Client, relic: PublishedSystem) -> None:
    page = client.get("/systems/relic/").content.decode()
    for expected in (CAPTAIN, "Power Sword", "sample cards", "0–4: 2; 5–9: 3; 10–12: 4"):
        assert expected in page, expected
    assert "/alliances/relic/" not in page
    assert "Relic" not in client.get("/units/").content.decode().split("<main")[1]


def test_a_fight_is_asked_and_answered_on_a_page(browser: Client, captain: HeroInHand) -> None:
    fields = {"ask": "battle", "enemy_1": "Ork Boss", "value_1": "4", "attribute_1": "cunning", "modifier_1": "1"}
    answer = browser.post(f"/lists/{captain.list_id}/hero/fight/", fields)
    run = SimulationRun.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, f"/matchups/{run.pk}/")
    for address in (f"/matchups/{run.pk}/", "/matchups/"):  # waiting, its title is already in the language of the page
        page = browser.get(address, headers={"accept-language": "ru"}).content.decode()
        assert "First voyage – Сила: Орк-босс 6; Хитрость: 4" in page, address
    perform_computation(str(run.computation_id))
    page = browser.get(f"/matchups/{run.pk}/").content.decode()
    for expected in ("First voyage – Strength: Ork Boss 6; Cunning: 4", "end--win", "end--unfought", "all battles won"):
        assert expected in page, expected
    browser.cookies["django_language"] = "ru"
    assert "Сила: Орк-босс 6; Хитрость: 4" in browser.get(f"/matchups/{run.pk}/").content.decode()


def test_the_page_of_a_question_that_cannot_be_asked_is_reloaded(browser: Client, captain: HeroInHand) -> None:
    """An edit on it makes a step in the browser, after which a reload is no repeated question."""
    address = f"/lists/{captain.list_id}/hero/fight/"
    assert browser.post(address, {"ask": "battle"}).status_code == 422
    again = browser.get(address)
    assert (again.status_code, again["Location"]) == (302, f"/lists/{captain.list_id}/#fight")


def test_an_answer_leads_back_to_the_hero(browser: Client, captain: HeroInHand) -> None:
    fields = {"ask": "battle", "enemy_1": "Ork Boss"}
    for _ in range(2):  # the second is answered from the first
        browser.post(f"/lists/{captain.list_id}/hero/fight/", fields)
    first, second = SimulationRun.objects.order_by("created")
    assert first.computation_id == second.computation_id
    link = f'href="/lists/{captain.list_id}/#fight">Back to First voyage</a>'
    assert link in browser.get(f"/matchups/{second.pk}/").content.decode()
    perform_computation(str(second.computation_id))
    assert link in browser.get(f"/matchups/{second.pk}/").content.decode()
    ArmyList.objects.filter(pk=captain.list_id).delete()
    page = browser.get(f"/matchups/{second.pk}/")
    assert page.status_code == 200 and "Back to" not in page.content.decode()


def test_cards_that_are_in_no_figure_are_named_in_both_languages(browser: Client, captain: HeroInHand) -> None:
    captain.edit(h.TakeAsset(card=Asset(name="Power Sword")))
    captain.edit(h.TakeAsset(card=Asset(name="Force Staff", battle_bonus=Bonus(color="blue", value=2))))
    captain.edit(h.TakePowerCard(card=PowerCard(number=6)))
    captain.edit(h.TakePowerCard(card=PowerCard(number=4)))
    fields = {"ask": "battle", "enemy_1": "Ork Boss", "power": "6", "power_2": "4"}
    browser.post(f"/lists/{captain.list_id}/hero/fight/", fields)
    run = SimulationRun.objects.get()
    assert json.loads(run.asked)["hero"]["power_numbers"] == [6, 4]
    perform_computation(str(run.computation_id))
    page = browser.get(f"/matchups/{run.pk}/").content.decode()
    for expected in ("Effects of Power cards", "Special abilities of the character", "No bonus in this battle"):
        assert expected in page, expected
    browser.cookies["django_language"] = "ru"
    page = browser.get(f"/matchups/{run.pk}/").content.decode()
    for expected in (
        "Действие карт Силы",
        "Особые способности персонажа",
        "Силовой меч",
        "Нет бонуса в этом бою: Психосиловой посох",
    ):
        assert expected in page, expected


def test_a_skill_test_is_asked_and_answered_on_a_page(browser: Client, captain: HeroInHand) -> None:
    captain.edit(h.TakePowerCard(card=PowerCard(number=4)))
    fields = {"ask": "test", "attribute": "strength", "target": "10", "power": "4"}
    browser.post(f"/lists/{captain.list_id}/hero/fight/", fields)
    run = SimulationRun.objects.get()
    perform_computation(str(run.computation_id))
    page = browser.get(f"/matchups/{run.pk}/").content.decode()
    assert "In more than 19 of 20 tries the hero passes." in page
    assert "100%" in page


@pytest.mark.parametrize(
    "fields",
    [
        {"ask": "battle"},
        {"ask": "battle", "enemy_1": "Nobody"},
        {"ask": "battle", "value_1": "x", "attribute_1": "strength"},
        {"ask": "battle", "value_1": "4", "attribute_1": "speed"},
        {"ask": "battle", "enemy_1": "Ork Boss", "dice": "13"},
        {"ask": "battle", "enemy_1": "Ork Boss", "dice": "2", "power": "3"},
        {"ask": "test", "attribute": "strength", "target": ""},
    ],
    ids=str,
)
def test_a_question_that_cannot_be_asked(fields: dict[str, str], browser: Client, captain: HeroInHand) -> None:
    answer = browser.post(f"/lists/{captain.list_id}/hero/fight/", fields)
    assert answer.status_code == 422
    assert "Nothing was changed" in answer.content.decode()
    assert not SimulationRun.objects.exists()


def test_only_the_owner_asks_about_his_hero(client: Client, captain: HeroInHand, stranger: object) -> None:
    client.force_login(stranger)  # type: ignore[arg-type]
    fields = {"ask": "battle", "enemy_1": "Ork Boss"}
    assert client.post(f"/lists/{captain.list_id}/hero/fight/", fields).status_code == 404


def test_findings_can_be_sifted(browser: Client, captain: HeroInHand) -> None:
    assert 'id="sieve"' not in browser.get(f"/lists/{captain.list_id}/").content.decode()
    captain.dial("strength", 13)
    page = browser.get(f"/lists/{captain.list_id}/").content.decode()
    assert 'id="sieve-error"' in page
    assert 'id="sieve-data"' not in page  # a hero has no game data that could object


def test_a_hero_whose_first_cards_are_not_drawn_is_started(client: Client, new_hero: Callable[..., HeroInHand]) -> None:
    hero = new_hero()
    client.force_login(hero.row.owner)  # type: ignore[arg-type]
    page = client.get(f"/lists/{hero.list_id}/").content.decode()
    assert "Started, 2 things to do" in page
    assert "verdict--illegal" not in page
    assert 'class="pane hero is-started"' in page  # the sign beside his cards is no red one either
    assert "Started, 2 things to do" in (shelf := client.get("/lists/").content.decode())
    assert "verdict--illegal" not in shelf
    told = send(client, hero, htmx=True, do=urlencode({"edit": "take_power_card", "number": 6})).content.decode()
    assert told.count("Started, 1 thing to do") == 3  # bar, findings, and what is read aloud
    assert "Started, 1 thing to do" in client.get("/lists/").content.decode()
    hero.dial("influence", 9)  # something else is wrong
    assert "verdict--illegal" in client.get("/lists/").content.decode()
    page = client.get(f"/lists/{hero.list_id}/").content.decode()
    assert "verdict--illegal" in page
    assert 'class="pane hero"' in page
