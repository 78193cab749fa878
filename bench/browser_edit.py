"""Row "edit in the browser": from a tap on + to the new total on the screen, a list of 60 selections, loopback."""

import shutil
from statistics import median

from bench.http_load import CannotMeasure, our_server
from bench.page import seeded_site
from bench.row import cannot_run, report

ROW = "edit in the browser"
MUST_MS, TARGET_MS = 250, 100
TAPS = 15

TAP = """() => new Promise(resolve => {
  const before = document.querySelector('#army-bar data').value;
  const start = performance.now();
  const look = () => {
    const total = document.querySelector('#army-bar data');
    if (total && total.value !== before) { requestAnimationFrame(() => resolve(performance.now() - start)); }
    else { requestAnimationFrame(look); }
  };
  document.querySelector("#detail .stepper [data-step='1']").click();
  look();
})"""
"""Taps the first counter and resolves, in milliseconds, when the frame with the new total is drawn.

Each is the first after a rest, and so is sent at once (`TAPS_REST` in edits.js)."""


def main() -> None:
    """Measure and print the row."""
    try:
        times = _taps()
    except CannotMeasure as missing:
        cannot_run(ROW, str(missing))
        return
    middle, worst = median(times), max(times)
    report(
        ROW,
        f"median {middle:.0f} ms, worst {worst:.0f} ms of {TAPS} taps",
        must=f"<= {MUST_MS} ms",
        target=f"<= {TARGET_MS} ms",
        met=middle <= MUST_MS,
    )


def _taps() -> list[float]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        raise CannotMeasure("no Chromium is installed (apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    with (
        seeded_site() as site,
        our_server(site.environment) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context()
        context.add_cookies([{"name": "sessionid", "value": site.cookie, "url": address}])
        page = context.new_page()
        page.goto(f"{address}{site.path}")
        page.locator(".unit__open", has_text="Tactical Squad").first.click()
        page.locator("#detail .stepper").first.wait_for()
        page.evaluate(TAP)  # the first edit warms the server up
        times = []
        for _ in range(TAPS):
            page.wait_for_timeout(400)
            times.append(float(page.evaluate(TAP)))
        browser.close()
        return times


if __name__ == "__main__":
    main()
