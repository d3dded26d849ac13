"""The report of a tour as people read it: on a desk or a phone, by day or by night, with a screen reader, on paper."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import seedrank as library
from seedrank.cli.tour import ask_all
from seedrank.ingest.synthetic import WebSpec, write_tables
from seedrank.loaders.table import TableSource

AXE = Path(__file__).parents[1] / "vendored" / "axe-core" / "axe.min.js"
pytestmark = [pytest.mark.slow, pytest.mark.browser]
SCREENS = {"desk": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> Path:
    """The report of a tour of a small web, with a chart of every kind that an experiment may add."""
    folder = tmp_path_factory.mktemp("report")
    tables = write_tables(WebSpec(3_000), folder / "web")
    kinds = {kind: [str(tables / f"{kind}.parquet")] for kind in ("pages", "links", "hosts", "queries", "results")}
    with library.open(str(folder / "web.duckdb"), create=True) as bench:
        bench.load(TableSource(**kinds))
        ask_all(bench, lambda text: None)
        bench.cores(k=5)
        bench.experiment("impact", quick=True)
        bench.report(folder / "report.html")
    return folder / "report.html"


@pytest.fixture
def reading(browser, report):
    """Open the report on a screen, everything unfolded or as it comes."""

    def on(screen: str = "desk", scheme: str = "light", *, unfolded: bool = True):
        page = browser.new_context(viewport=SCREENS[screen], color_scheme=scheme).new_page()
        page.goto(report.as_uri())
        if unfolded:
            page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        return page

    return on


def violations(page) -> list[list[str]]:
    """What axe-core finds: how grave, which rule, and where first."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    return page.evaluate(
        """async () => (await axe.run({resultTypes: ['violations']})).violations
        .map((found) => [found.impact, found.id, found.nodes[0].html])"""
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", list(SCREENS))
def test_axe_finds_nothing_serious(reading, screen, scheme):
    found = violations(reading(screen, scheme))
    assert [one for one in found if one[0] in ("serious", "critical")] == []


def test_axe_finds_what_is_wrong(reading):
    page = reading(unfolded=False)
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert ["critical", "button-name", "<button></button>"] in violations(page)


def test_the_first_screen_says_what_to_do_with_a_figure_in_each_sentence(reading):
    page = reading(unfolded=False)
    cards = page.locator("#findings .card")
    assert 3 <= cards.count() <= 4
    for card in cards.all():
        box = card.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 800
        assert re.search(r"\d", card.locator(".figure strong").inner_text())
    said = page.locator("#findings li")
    assert 3 <= said.count() <= 6
    for sentence in said.all():
        assert re.search(r"\d", sentence.inner_text())
    assert not set(said.all_inner_texts()) & set(page.locator("#findings .card p").all_inner_texts())
    words = set(page.locator("#findings dt").all_inner_texts())
    assert {"seeds", "greedy", "PageRank", "fpr", "breadth first", "rw-eg", "frontier"} <= words


def test_answers_come_first_then_the_graph_then_claims(reading):
    page = reading(unfolded=False)
    parts = page.evaluate("[...document.querySelectorAll('main > section')].map(part => part.id)")
    assert parts == ["findings", "seeds", "crawl", "frontier", "pictures", "graph", "experiments", "runs"]
    assert page.locator("#experiments > details[open]").count() == 0
    assert "does not hold" not in page.inner_text("main")


def test_every_list_says_why(reading):
    page = reading(unfolded=False)
    assert page.locator("#seeds details[open] > ol > li").count() == 10
    for why in page.locator("#seeds details[open] > ol > li > span").all_inner_texts():
        assert re.fullmatch(r"Adds [\d,]+ pages?; [\d.]+ % of all crawled pages covered so far\.", why)
    assert page.locator("#crawl svg.sr-chart:visible").count() == 1
    for why in page.locator("#crawl details[open] > ol > li > span").all_inner_texts():
        assert re.match(r"Linked from .+, fetched before it\.", why)
    reasons = page.locator("#frontier details[open] > ol > li > span").all_inner_texts()
    assert len(reasons) == 10
    assert all(re.match(r"(Clicked pages? \S+ \(\d+ clicks\)|[\d,]+ pages?).* links? here", why) for why in reasons)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", list(SCREENS))
def test_nothing_is_cut_and_all_text_is_large_enough(reading, screen, scheme):
    page = reading(screen, scheme)
    width = SCREENS[screen]["width"]
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width
    drawn = page.locator("svg.sr-chart:visible")
    assert drawn.count() >= 6
    beyond = page.evaluate(
        """() => [...document.querySelectorAll('svg.sr-chart')].filter((svg) => svg.getClientRects().length)
        .flatMap((svg) => { const sheet = svg.getBoundingClientRect();
          return [...svg.querySelectorAll('text')].filter((text) => { const box = text.getBoundingClientRect();
            return box.left < sheet.left - 1 || box.right > sheet.right + 1 || sheet.right > innerWidth; })
            .map((text) => text.textContent); })"""
    )
    assert beyond == []
    smallest = page.evaluate(
        """() => Math.min(...[...document.querySelectorAll('svg.sr-chart text')]
        .filter((text) => text.getClientRects().length && text.textContent.trim())
        .map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a))"""
    )
    assert smallest >= 11


def test_a_wide_screen_and_a_narrow_one_show_each_drawing_once(reading):
    counts = []
    for screen in SCREENS:
        page = reading(screen)
        shown = page.locator("figure svg.sr-chart:visible").count()
        assert shown == page.locator("figure").count()
        counts.append(shown)
    assert counts[0] == counts[1]


def test_tables_scroll_in_their_box_on_a_phone(reading):
    page = reading("phone")
    boxes = page.locator(".scroll:visible")
    assert boxes.count() >= 4
    for box in boxes.all():
        assert box.bounding_box()["x"] + box.bounding_box()["width"] <= 390
        assert box.evaluate("box => box.scrollWidth <= box.clientWidth || getComputedStyle(box).overflowX === 'auto'")


def test_the_keyboard_reaches_every_part(reading):
    page = reading(unfolded=False)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    parts = []
    for _ in range(12):
        page.keyboard.press("Tab")
        parts.append(page.evaluate("document.activeElement.closest('section').id"))
    assert parts[0] == "findings"  # past the contents
    assert "seeds" in parts
    folded = page.locator("#runs summary").first
    folded.focus()
    page.keyboard.press("Enter")
    assert page.locator("#runs pre, #runs article").first.is_visible()


def test_on_paper_everything_is_open_and_drawn_once(reading, tmp_path):
    page = reading(unfolded=False)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    assert page.locator("nav").is_hidden()
    assert page.locator("figure svg.sr-chart:visible").count() == page.locator("figure").count()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details:not([open])").count() > 3
    page.pdf(path=tmp_path / "report.pdf")
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")


def test_it_is_small_enough_to_mail(report):
    assert report.stat().st_size < 1_000_000
