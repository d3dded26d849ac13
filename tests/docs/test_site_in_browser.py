"""The site of `make site` in Chromium: it fits a phone, asks for nothing elsewhere, and unfolds what is linked to."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import browser

__all__ = ["browser"]

SITE = Path(__file__).resolve().parents[2] / "docs" / "_build" / "html"
PHONE = {"width": 390, "height": 844}

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not (SITE / "index.html").is_file(), reason="there is no site: run `make site`"),
]


def test_every_page_fits_a_phone_and_is_whole_without_a_network(browser):
    page = browser.new_page(viewport=PHONE)
    asked, wrong = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("requestfailed", lambda request: wrong.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    pages = sorted(set(SITE.rglob("*.html")) - {SITE / "index.html"})  # that one goes elsewhere at once
    wide = []
    for path in pages:
        page.goto(path.as_uri())
        if page.evaluate("document.documentElement.scrollWidth") > PHONE["width"]:
            wide.append(path.relative_to(SITE).as_posix())
    assert len(pages) > 40
    assert wide == []
    assert wrong == []
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []


def test_the_first_address_leads_to_the_first_page(browser):
    page = browser.new_page()
    page.goto((SITE / "index.html").as_uri())
    page.wait_for_url("**/docs/index.html")
    assert page.locator("h1").inner_text().startswith("seedrank")


def test_a_link_to_a_claim_unfolds_it(browser):
    page = browser.new_page(viewport=PHONE)
    page.goto((SITE / "docs" / "findings.html").as_uri())
    page.locator("a[href*='#claim-']").first.click()
    page.wait_for_url("**/docs/reproduction.html#claim-*")
    claim = page.locator("details:target")
    assert claim.get_attribute("open") is not None
    assert claim.locator("table").first.is_visible()
    assert page.locator("details:not([open])").count() > 10
