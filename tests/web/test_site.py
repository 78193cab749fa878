"""Pages about the site and the game, the switches in the head, and errors as pages."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client, RequestFactory
from django.urls import get_resolver, reverse
from django.utils import translation

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import services
from armybuilder.armylists.edits import SetName
from armybuilder.armylists.errors import EditRefused, RevisionConflict
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.samples import load_sample, read_sample
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.engine.errors import Cancelled, GameError
from armybuilder.engine.findings import Text
from armybuilder.engine.roster.data_findings import RULES, SOURCE
from armybuilder.engine.systems.game import LIST_RULES
from armybuilder.reference.names import Names
from armybuilder.web import problems
from armybuilder.web.templatetags import site
from armybuilder.web.views import site as start

pytestmark = pytest.mark.django_db

DESIGN = Path(__file__).resolve().parents[2] / "docs" / "design.md"


@pytest.fixture
def in_russian() -> Iterator[None]:
    with translation.override("ru"):
        yield


def test_the_start_page_works_on_an_empty_site() -> None:
    assert Client().get("/").status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/about/",
        "/design/",
        "/lists/",
        "/lists/new/",
        "/units/",
        "/systems/",
        "/systems/horus-heresy/",
        "/systems/horus-heresy/rules/",
        "/systems/horus-heresy/rules/HH-30/",
        "/systems/horus-heresy/rules/BS-03/",
        "/alliances/horus-heresy/",
        "/matchups/",
        "/matchups/new/",
        "/accounts/sign-in/",
        "/accounts/sign-up/",
    ],
)
def test_pages_answer_and_carry_no_script_or_style_of_their_own(game: object, address: str) -> None:
    answer = Client().get(address)
    html = answer.content.decode()
    assert answer.status_code == 200
    assert "<script>" not in html
    assert " style=" not in html
    assert " onclick=" not in html
    policy = answer["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


def named_components() -> list[str]:
    """The classes of the table of components in docs/design.md, those of its second column."""
    table = DESIGN.read_text(encoding="utf-8").split("## Components")[1].split("\n## ")[0]
    return [name for row in table.splitlines() for name in re.findall(r"`\.([a-z_-]+)`", "".join(row.split("|")[2:3]))]


def test_every_named_component_is_shown_in_both_themes_to_a_visitor_without_lists() -> None:
    page = Client().get("/design/").content.decode()
    _, light, dark = page.split('<section class="theme ')
    assert len(named_components()) > 20
    for name in named_components():
        for theme in (light, dark):
            shown = re.search(rf'class="(?:[^"]* )?{name}[ "]', theme)
            assert shown, name


def test_the_figures_of_the_page_of_components_are_written_as_its_language_does() -> None:
    page = Client().get("/design/", headers={"accept-language": "ru"}).content.decode()
    shown = re.sub(r"<(script|style|svg).*?</\1>|<[^>]*>", " ", page.split("<main")[1], flags=re.DOTALL)
    assert "4\u00a0500" in shown
    assert re.findall(r"\d,\d{3}\b|\d\.\d|\d%", shown) == []


def test_the_rows_of_the_page_of_components_lead_to_no_list() -> None:
    page = Client().get("/design/").content.decode()
    assert len(re.findall(r'<li class="list-row[ "]', page)) == 4
    assert not re.search(r'(href|action)="/lists/[0-9a-f]{8}-', page)
    assert "<form" not in page.split('<section class="theme ', 1)[1].split("</main>")[0]


@pytest.mark.parametrize(
    "address",
    [
        "/systems/nothing/",
        "/systems/nothing/rules/",
        "/systems/horus-heresy/rules/HH-99/",
        "/alliances/nothing/",
        "/units/00000000-0000-0000-0000-000000000000/",
        "/nowhere/",
    ],
)
def test_what_is_not_there_says_so(game: object, address: str) -> None:
    answer = Client().get(address)
    assert answer.status_code == 404
    assert "Nothing here" in answer.content.decode()


def test_units_by_faction_and_words(game: object) -> None:
    found = Client().get("/units/", {"faction": "imperial-army"}).content.decode()
    assert "Leader of Imperial Army" in found
    assert "Leader of Sons of Horus" not in found
    table = {"HX-Request": "true", "HX-Target": "units"}
    fragment = Client().get("/units/", {"q": "horus"}, headers=table).content.decode()
    assert "<html" not in fragment
    assert "Leader of Sons of Horus" in fragment
    assert "No unit fits" in Client().get("/units/", {"q": "nothing like it"}).content.decode()
    assert Client().get("/units/", {"least": "x", "most": "-3", "page": "z"}).status_code == 200


def test_the_language_is_kept_and_leads_back(game: object) -> None:
    browser = Client()
    answer = browser.post("/language/", {"language": "ru", "next": "/units/"})
    assert answer.url == "/units/"
    page = browser.get("/units/").content.decode()
    assert '<html lang="ru"' in page
    assert "Отряды" in page
    browser.post("/language/", {"language": "xx"})
    assert '<html lang="ru"' in browser.get("/units/").content.decode()


def test_switches_lead_to_this_site_only() -> None:
    for address in ("/language/", "/theme/"):
        assert Client().post(address, {"next": "https://evil.example/"}).url == "/"
        assert Client().get(address).status_code == 405


@pytest.mark.parametrize(("language", "heading"), [("en", "Nothing to read here"), ("ru", "Здесь нечего читать")])
def test_an_address_behind_a_button_opened_by_itself_has_a_page(language: str, heading: str) -> None:
    browser = Client()
    browser.cookies["django_language"] = language
    answer = browser.get("/lists/several/")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert f"<h1>{heading}</h1>" in answer.content.decode()
    assert 'href="/lists/"' in answer.content.decode()


def test_the_theme_is_kept() -> None:
    browser = Client()
    browser.post("/theme/", {"theme": "dark"})
    assert 'data-theme="dark"' in browser.get("/about/").content.decode()
    browser.post("/theme/", {"theme": '"><script>'})
    assert 'data-theme="dark"' in browser.get("/about/").content.decode()


def every_refusal(kind: type[GameError] = GameError) -> Iterator[type[GameError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from every_refusal(child)


def test_every_refusal_has_a_status_of_its_own_kind() -> None:
    for kind in every_refusal():
        refusal = kind.__new__(kind)
        status = problems.status_of(refusal)
        busy = {"press-busy": 503, "repairs-busy": 503}
        expected = ({"not-found": 404, "revision-conflict": 409} | busy).get(kind.code, 422)
        assert status == expected, kind


@pytest.mark.parametrize(
    ("refusal", "status"),
    [
        (RevisionConflict(4), 409),
        (EditRefused(Text(en="Too <many>.", ru="Слишком <много>.")), 422),
        (Cancelled("Stopped."), 422),
    ],
)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_refusals_as_pages_and_as_toasts(refusal: GameError, status: int, language: str) -> None:
    def view(request: object) -> None:
        raise refusal

    for htmx in (False, True):
        request = RequestFactory().get("/")
        request.htmx = htmx  # type: ignore[attr-defined]
        request.user = type("Nobody", (), {"is_authenticated": False})()  # type: ignore[assignment]
        with translation.override(language):
            answer = problems.answers_problems(view)(request)  # type: ignore[arg-type]
        html = answer.content.decode()
        assert answer.status_code == status
        assert ("<html" in html) is not htmx
        assert (answer.get("HX-Reswap") == "none") is htmx
        assert "<many>" not in html
        assert "<много>" not in html


def test_django_s_own_errors_have_pages_too(game: object) -> None:
    resolver = get_resolver()
    names = {code: resolver.resolve_error_handler(code) for code in (400, 403, 404, 500)}
    assert all(handler.__module__ == problems.__name__ for handler in names.values())
    answer = names[500](RequestFactory().get("/"))
    assert answer.status_code == 500
    assert "Something broke" in answer.content.decode()
    assert "Что-то сломалось" in answer.content.decode()


def test_a_form_that_is_too_old() -> None:
    answer = Client(enforce_csrf_checks=True).post(reverse("web:theme"), {"theme": "dark"})
    assert answer.status_code == 403
    assert "too old" in answer.content.decode()


@pytest.mark.parametrize(
    ("sent_from", "leads_back"), [("http://testserver/about/", True), ("http://evil.example/", False)]
)
def test_a_form_that_is_too_old_leads_back_to_its_page(sent_from: str, leads_back: bool) -> None:
    browser = Client(enforce_csrf_checks=True)
    answer = browser.post(reverse("web:theme"), {"theme": "dark"}, headers={"referer": sent_from}).content.decode()
    assert (f'class="button button--main" href="{sent_from}"' in answer) is leads_back
    assert "evil" not in answer


@pytest.mark.parametrize(
    ("value", "english", "russian"),
    [(1250, "1,250", "1\u00a0250"), (12.5, "12.5", "12,5"), (0, "0", "0"), (-3, "−3", "−3"), (None, "–", "–")],
)
def test_points(value: object, english: str, russian: str) -> None:
    assert site.points(value) == english
    with translation.override("ru"):
        assert site.points(value) == russian


@pytest.mark.parametrize(
    ("chance", "text"), [(0, "0%"), (0.001, "<1%"), (0.5, "50%"), (0.999, ">99%"), (1, "100%"), (1 / 3, "33%")]
)
def test_a_chance_never_reads_as_certain_when_it_is_not(chance: float, text: str) -> None:
    assert site.percent(chance) == text


def test_lines_of_the_book() -> None:
    assert site.book_lines("L3515-L3526, L182") == "lines 3515–3526, 182"
    assert site.book_lines("L182") == "line 182"
    assert site.book_lines("FAQ 1.0") == "FAQ 1.0"
    with translation.override("ru"):
        assert site.book_lines(SOURCE) == "данные игры"
        assert site.book_lines("L182") == "строка 182"
        assert site.book_lines("L182, L190") == "строки 182, 190"


def test_where_a_rule_comes_from_is_told_in_russian() -> None:
    """As lines of the book; a source without lines has words in both languages."""
    with translation.override("ru"):
        for pack in LIST_RULES.values():
            for name, rule in pack.rules.rules.items():
                assert site.has_lines(rule.source) or site.book_lines(rule.source) != rule.source, name


def test_only_a_rule_with_lines_leads_to_the_book(client: Client, game: PublishedSystem) -> None:
    PublishedSystem.objects.create(
        id="wh40k-6th", name="40k", rule_pack="wh40k-6th", current_release=game.current_release
    )
    in_the_book, published = (
        client.get(reverse("web:rule", args=["wh40k-6th", name])).content.decode() for name in ("W6-01", "W6L-01")
    )
    assert "at these lines of the text" in in_the_book
    assert "at these lines of the text" not in published


NAMES = Names(
    {"Power Fist": "Силовой кулак", "Fist": "Кулак", "Rapid Fire": "Скорострельное", "Rending": "Разрывающее"}
)


@pytest.mark.parametrize(
    ("name", "russian"),
    [
        ("Power Fist", "Силовой кулак"),
        ("Unknown thing", "Unknown thing"),
        ("Rapid Fire 2", "Скорострельное 2"),
        ("Rapid Fire, Rending (6+)", "Скорострельное, Разрывающее (6+)"),
        ("", ""),
    ],
)
def test_names_in_russian(in_russian: None, name: str, russian: str) -> None:
    assert NAMES(name) == russian


def test_names_in_sentences(in_russian: None) -> None:
    assert NAMES.within("Power Fist: 2, at most 1", ["Power Fist", "Fist"]) == "Силовой кулак: 2, at most 1"
    assert NAMES.within("Fisted", ["Fist"]) == "Fisted"


def test_names_in_english_stay() -> None:
    assert NAMES("Power Fist") == "Power Fist"
    assert NAMES.within("Power Fist", ["Power Fist"]) == "Power Fist"


def test_every_finding_of_the_data_has_a_page(game: object) -> None:
    for rule in sorted({*RULES.values(), "BS-05"}):
        assert Client().get(f"/systems/horus-heresy/rules/{rule}/").status_code == 200, rule


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("из 2 000 очков", "из 2\u00a0000 очков"),
        ("предел – 375 (25 %)", "предел – 375 (25\u00a0%)"),
        ("1 000 000", "1\u00a0000\u00a0000"),
        ("взято 2 из 10", "взято 2 из 10"),
        ("строки 5 1000", "строки 5 1000"),
    ],
)
def test_numbers_are_not_torn_at_the_end_of_a_line(text: str, shown: str) -> None:
    assert site.localized(Text(text, text)) == shown


def test_a_rule_that_is_told_only_says_so_on_its_page(game: object) -> None:
    published = PublishedSystem.objects.get()
    PublishedSystem.objects.create(
        id="fantasy-8th", name="Fantasy", rule_pack="fantasy-8th", current_release=published.current_release
    )
    for language, words, unlike in (("en", "Told, not checked", "illegal"), ("ru", "Только сообщается", "нелегален")):
        page = Client(headers={"accept-language": language}).get("/systems/fantasy-8th/rules/WF-53/").content.decode()
        effect = page.split("<dl", 1)[1].split("</dl>", 1)[0]
        assert words in effect and unlike not in effect
        assert "stored list" not in page
        table = Client(headers={"accept-language": language}).get("/systems/fantasy-8th/rules/").content.decode()
        assert table.count(words) == 3
    checked = Client().get("/systems/fantasy-8th/rules/WF-01/").content.decode()
    assert "Told, not checked" not in checked


def test_the_sample_of_the_start_page_is_written_once(
    client: Client, heresy: PublishedSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its sheet was made for every visitor: two thirds of the time of the page."""
    file = next((Path(__file__).parents[2] / "fixtures" / "horus-heresy" / "lists").glob("*.json"))
    assert load_sample(read_sample(file))
    made: list[ArmyList] = []
    sheet_of = start.sheet_of
    monkeypatch.setattr(start, "sheet_of", lambda row, report: made.append(row) or sheet_of(row, report))
    first, second = (client.get("/").content.decode() for _ in range(2))
    (row,) = made
    unit = services.check_army_list(row).state.forces[0].selections[-1].name
    assert unit in first and unit in second
    russian = client.get("/", headers={"Accept-Language": "ru"}).content.decode()
    assert "очк." in russian and len(made) == 2, "each language has its own"
    services.apply_edit(Viewer(user=row.owner), row.pk, SetName(name="Other"), expected_revision=row.revision)
    client.get("/")
    assert len(made) == 3, "an army that has changed is written anew"
