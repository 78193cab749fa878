"""A person who has something of everything, so that no page of the site is empty; and a walk over all these pages."""

from collections import deque
from collections.abc import Iterator
from secrets import token_hex
from urllib.parse import urljoin, urlsplit

from django.urls import Resolver404, resolve
from playwright.sync_api import Error, Page, expect

NO_PAGES = {
    "list-export", "list-file", "lists-everything", "shared-export", "shared-file", "shared-preview", "picture",
    "account-data",
}  # fmt: skip
"""Routes whose answers are saved, not shown."""

TWICE = ("list", "list-print", "shared", "system")
"""Routes of which two pages are looked at: lists and heroes, games with units and with cards differ."""

ALWAYS = {
    "about", "account", "collection", "data-quality", "design", "event", "event-change", "event-link",
    "event-submission", "events", "home", "layout", "layouts", "list", "list-exports", "list-history", "list-new",
    "list-open-file", "list-play", "list-print", "list-share", "list-typed", "list-unit-copy", "lists", "lores",
    "magic_items", "matchup", "matchup-new", "matchup-shared", "matchups", "password-change", "programs",
    "public-lists", "rule", "rules", "second-factor", "sessions", "shared", "shared-exports", "shared-play",
    "shared-print", "system", "systems", "target", "target-new", "targets", "tokens", "unit", "unit-add", "units",
    "verdict", "webhooks",
}  # fmt: skip
"""Routes that a walk of a furnished person must have met."""


def route_of(address: str) -> str | None:
    """The name of the page's route; None for what is no page of the site."""
    try:
        match = resolve(urlsplit(address).path)
    except Resolver404:
        return None
    name = match.url_name or ""
    return name if match.app_names == ["web"] and name not in NO_PAGES else None


def sign_up(page: Page) -> None:
    """An account of one's own."""
    name = f"somebody-{token_hex(4)}"
    page.goto("/accounts/sign-up/")
    page.locator("main [name=username]").fill(name)
    for field in page.locator("main input[type=password]").all():
        field.fill("a long enough password 7")
    page.locator("main form .button--main").click()
    expect(page.locator(".account-name")).to_have_text(name)


def own_list(page: Page, sample: str = "") -> str:
    """Address of a list or hero of one's own: a copy of a sample, of the first one unless told which."""
    page.goto("/")
    if sample:
        page.get_by_role("link", name=sample).first.click()
    page.locator("form[action*=copy] button").first.click()
    page.wait_for_url("**/lists/*/**")
    return page.url


def furnish(page: Page) -> list[str]:
    """Sign up, and make one of everything; addresses that no page links to, or that a walk would not take."""
    sign_up(page)
    samples = _samples(page)
    for system in ("relic", "wh40k-6th", "horus-heresy"):
        page.goto(samples[system])
        page.locator("form[action*=copy] button").first.click()
        page.wait_for_url("**/lists/*/**")
    army = page.url.split("?")[0]
    unit = str(page.locator("#army .unit__open").nth(1).get_attribute("href"))
    adding = str(page.locator(".role__head a").first.get_attribute("href")).split("#")[0]
    return [
        army,
        army + unit,
        army + adding,
        *(f"{army}?pane={name}" for name in ("warlord", "settings", "detachments", "own")),
        "/nowhere/",
        "/accounts/second-factor/",
        "/lists/new/?system=relic",
        _layout(page),
        *_event(page, samples["horus-heresy"]),
        *_fought(page),
        _target(page),
    ]


def walk(page: Page, *more: str) -> Iterator[str]:
    """Open these pages and then others from the one that is open on, a few of each route."""
    first = [urljoin(page.url, address) for address in more]
    waiting = deque([page.url, *first])
    seen, count = set(waiting), dict[str, int]()
    while waiting:
        address = waiting.popleft()
        route = route_of(address) or ("" if address in first else None)
        if route is None or (address not in first and count.get(route, 0) > (route in TWICE)):
            continue
        try:
            answer = page.goto(address)
        except Error:  # a file that is saved
            continue
        if answer is None or "text/html" not in answer.headers.get("content-type", ""):
            continue
        count[route] = count.get(route, 0) + 1
        for link in page.locator("a[href]").evaluate_all("links => links.map(link => link.getAttribute('href'))"):
            onward = urljoin(address, link).split("#")[0]
            if onward.startswith(f"{urlsplit(address).scheme}://{urlsplit(address).netloc}/") and onward not in seen:
                seen.add(onward)
                waiting.append(onward)
        yield address
    assert count.keys() >= ALWAYS, sorted(ALWAYS - count.keys())


def _layout(page: Page) -> str:
    page.goto("/layouts/")
    page.locator("#layout-name").fill("Autumn Cup")
    page.locator("#layout-source").fill("LIST: {{ name }}")
    page.locator("form:has(#layout-source) .button--main").first.click()
    expect(page.locator("h1")).to_have_text("Autumn Cup")
    return page.url


def _samples(page: Page) -> dict[str, str]:
    """Address of a sample of each game."""
    page.goto("/")
    links = page.locator('a[href^="/s/"]').evaluate_all("all => all.map(one => one.getAttribute('href'))")
    return {page.request.get(f"/api/v1/shared{link[2:]}").json()["system"]: link for link in links}


def _event(page: Page, shared: str) -> list[str]:
    page.goto("/events/new/")
    page.fill("[name=name]", "Summer cup")
    page.select_option("[name=system]", "horus-heresy")
    page.fill("[name=points_limit]", "500")
    page.locator("main form .button--main").first.click()
    organised, link = page.url, page.locator("#event-link").input_value()
    addresses = [organised, link]
    page.goto(link)
    page.fill("[name=player]", "Mara")
    page.fill("[name=share]", urljoin(page.url, shared))
    page.locator("main form .button--main").first.click()
    page.wait_for_url("**/e/*/*/")
    return [*addresses, page.url]


def _fought(page: Page) -> list[str]:
    page.goto("/matchups/new/?game=horus-heresy")
    page.locator("form button[value=matrix], form button[name=type]").first.click()
    expect(page.locator("table.heat")).to_be_visible(timeout=240_000)
    run = page.url
    page.locator("form[action$='share/'] button").first.click()
    link = page.locator("#run-address").input_value()
    page.goto(run)
    page.locator("table.heat .heat__cell").first.click()
    expect(page.locator(".chart__drawing").first).to_be_visible(timeout=240_000)
    return [run, link, page.url]


def _target(page: Page) -> str:
    page.goto("/targets/new/?system=horus-heresy")
    page.fill("[name=name]", "A wall of shields")
    for name, value in {"points": "100", "models.0.count": "10", "models.0.profile.Sv": "3+"}.items():
        page.fill(f"[name='{name}']", value)
    for name in ("WS", "BS", "S", "T", "W", "I", "A", "Ld"):
        page.fill(f"[name='models.0.profile.{name}']", "4")
    page.locator("main form .button--main").click()
    page.wait_for_url("**/targets/")
    return urljoin(page.url, str(page.locator("main a", has_text="A wall of shields").get_attribute("href")))
