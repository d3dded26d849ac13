"""``seedrank report`` in a real browser: what it shows, what it does, and what a hostile page cannot do."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from seedrank.output.charts.chart import Chart, Series
from seedrank.runs import Run, RunStore, experiment_files
from seedrank.runs.experiment import Claim, Experiment
from tests.cli.conftest import made_once

pytestmark = pytest.mark.slow

SCRIPT = "https://a.example/<script>document.title='owned'</script>"
HOSTILE = [SCRIPT, "javascript:alert(1)", 'https://b.example/"onmouseover="alert(1)', "https://b.example/\u202etxt.exe"]


@pytest.fixture
@made_once
def web(seedrank, tmp_path):
    """A small web with hostile URLs, taken as they are; seeds, a ranking, a core, and an experiment."""
    links = [(HOSTILE[0], HOSTILE[n]) for n in (1, 2, 3)] + [
        (HOSTILE[2], HOSTILE[0]),
        (HOSTILE[0], "https://a.example/"),
    ]
    links += [("https://a.example/", f"https://a.example/{n}") for n in range(8)]
    table = pa.table({"source": [a for a, _ in links], "target": [b for _, b in links]})
    pq.write_table(table, tmp_path / "links.parquet")
    assert seedrank("load", "table", "--links", "links.parquet", "--urls", "verbatim").code == 0
    assert seedrank("seeds", "maxweight", "-k", "3", "--hops", "1").code == 0
    assert seedrank("rank", "pagerank").code == 0
    runs = tmp_path / "web.duckdb.seedrank" / "runs"
    [seeds] = [path for path in runs.glob("*/") if "seeds" in (path / "run.json").read_text()]
    pq.write_table(
        pa.table(
            {"n": [1, 1, 1], "role": ["hub", "authority", "authority"], "id": [0, 1, 2], "score": [1.0, 0.5, 0.4]}
        ),
        seeds / "cores.parquet",
    )
    k = np.arange(1.0, 4.0)
    chart = Chart("c", SCRIPT, "k", "y", [Series("one", k, k, k - 1, k + 1), Series(SCRIPT, k, 2 * k)], caption=SCRIPT)
    claims = [
        Claim(
            paper="000", claim="one claim", quote="their figure", value=3.0, low=1.0, high=5.0, n=9, unit="sites",
            verdict="holds",
        ),
        Claim(paper="000", claim=SCRIPT, quote=SCRIPT, verdict="cannot be judged", why=SCRIPT),
        Claim(paper="000", claim="made", value=4.0, verdict="holds", by_construction="synthetic web"),
    ]  # fmt: skip
    table = pa.table({"n": list(range(12)), "text": [SCRIPT] * 12})
    run = Run(
        "20260101-000000-aaaaaa", "experiment coverage", {"quick": True}, "v", "web.duckdb", "native", "0", "2026", 1.0
    )
    experiment_files.save(RunStore(runs), run, Experiment("coverage", {"main": table}, [chart], claims, [SCRIPT]))
    return tmp_path


@pytest.fixture
def opened(seedrank, web, browser):
    """Open the report; the console, errors and requests it made are kept."""
    outcome = seedrank("report")
    assert outcome.code == 0, outcome.err

    def open_it(**more):
        context = browser.new_context(viewport={"width": 1200, "height": 800}, **more)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.noise, page.asked = [], []
        page.on("console", lambda message: page.noise.append(message.text))
        page.on("pageerror", lambda error: page.noise.append(str(error)))
        page.on("dialog", lambda dialog: page.noise.append("dialog"))
        page.on("request", lambda request: page.asked.append(request.url))
        page.goto((web / "report.html").as_uri())
        for closed in page.locator("#experiments > details:not([open]) > summary").all():
            closed.click()
        return page

    return open_it


def test_it_is_quiet_asks_for_nothing_and_hostile_text_stays_text(opened, web):
    page = opened()
    assert page.noise == []
    assert page.asked == [(web / "report.html").as_uri()]
    assert page.title() == "seedrank report: web.duckdb"
    text = page.inner_text("main")
    assert SCRIPT in text
    assert "javascript:alert(1)" in text
    assert "\u202e" not in page.content()
    assert page.evaluate("document.scripts.length") == 1
    links = page.evaluate("[...document.links].map(a => [a.protocol, a.getAttribute('href'), a.rel])")
    outside = [link for link in links if not link[1].startswith("#")]
    assert {link[0] for link in outside} == {"https:"}
    assert all("noreferrer" in link[2] for link in outside)
    assert not any("script" in link[1] for link in outside)
    assert page.evaluate("document.querySelectorAll('[onmouseover]').length") == 0


def test_the_policy_forbids_what_is_not_ours(opened):
    page = opened()
    assert page.evaluate(
        """() => { const s = document.createElement('script'); s.textContent = 'window.bad = 1';
        document.body.append(s); return window.bad === undefined }"""
    )
    assert any("Content Security Policy" in line for line in page.noise)


def test_sorting_and_finding(opened):
    page = opened()
    table = page.locator("#experiments details details table")
    page.locator("#experiments details details summary").first.click()
    head = table.locator("th").first
    first = table.locator("tbody tr").first.locator("td").first
    for order, value in (("ascending", "0"), ("descending", "11")):
        head.get_by_role("button").press("Enter")
        assert head.get_attribute("aria-sort") == order
        assert first.inner_text() == value
    field = page.locator("#experiments details details").get_by_role("searchbox")
    field.fill("nothing like it")
    assert table.locator("tbody tr:visible").count() == 0
    field.fill("11")
    assert table.locator("tbody tr:visible").count() == 1


def test_curves_show_values(opened):
    page = opened()
    chart = page.locator("#experiments svg.sr-chart").first
    point = chart.locator(".point").nth(1)
    point.scroll_into_view_if_needed()
    point.hover(force=True)
    assert page.inner_text("#value") == "one · k 2 · 2 [1, 3]"
    chart.focus()
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#value") == "one · k 3 · 3 [2, 4]"
    page.keyboard.press("Escape")
    assert page.locator("#value").is_hidden()
    assert page.noise == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_and_curves_can_be_read_on_the_page(opened, scheme):
    page = opened(color_scheme=scheme)
    contrasts = page.evaluate(
        """() => {
        const light = (c) => { const v = c.match(/[\\d.]+/g).slice(0, 3).map(Number).map((x) => x / 255)
          .map((x) => x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4);
          return .2126 * v[0] + .7152 * v[1] + .0722 * v[2]; };
        const b = light(getComputedStyle(document.body).backgroundColor);
        return [...document.querySelectorAll('svg.sr-chart text, svg.sr-chart .point, svg.sr-chart [stroke-linejoin]')]
          .map((e) => { const s = getComputedStyle(e), c = s.fill === 'none' ? s.stroke : s.fill, a = light(c);
            return [(Math.max(a, b) + .05) / (Math.min(a, b) + .05), e.outerHTML.slice(0, 80)]; }); }"""
    )
    assert len(contrasts) > 40
    assert [found for found in contrasts if found[0] < 4.5] == []


def test_without_scripts_the_figures_are_still_there(opened):
    page = opened(java_script_enabled=False)
    assert page.locator("svg.sr-chart .point").count() >= 10
    assert page.locator("#seeds ol.first li").first.is_visible()
    assert page.locator("#pictures svg:visible").count() == 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_can_be_read_on_its_ground(opened, scheme):
    page = opened(color_scheme=scheme)
    contrasts = page.evaluate(
        """() => {
        const light = (c) => { const v = c.match(/[\\d.]+/g).slice(0, 3).map(Number).map((x) => x / 255)
          .map((x) => x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4);
          return .2126 * v[0] + .7152 * v[1] + .0722 * v[2]; };
        const ground = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
          if (!c.startsWith('rgba(0, 0, 0, 0')) return c; } return 'rgb(255, 255, 255)'; };
        return [...document.querySelectorAll('h1, h2, h3, p, td, th, dt, dd, a, small, figcaption, summary, .verdict')]
          .filter((e) => e.textContent.trim() && e.getClientRects().length).map((e) => {
            const a = light(getComputedStyle(e).color), b = light(ground(e));
            return [(Math.max(a, b) + .05) / (Math.min(a, b) + .05), e.outerHTML.slice(0, 80)]; }); }"""
    )
    assert len(contrasts) > 40
    assert [found for found in contrasts if found[0] < 4.5] == []


def test_a_phone_scrolls_tables_and_charts_not_the_page(opened):
    page = opened()
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_phone_shows_charts_whole(opened):
    page = opened()
    page.set_viewport_size({"width": 360, "height": 740})
    charts = page.locator("svg.sr-chart:visible")
    assert charts.count() >= 3
    for box in (charts.nth(n).bounding_box() for n in range(charts.count())):
        assert box["x"] + box["width"] <= 360


def test_a_chart_without_data_is_a_sentence(seedrank, web):
    runs = RunStore(web / "web.duckdb.seedrank" / "runs")
    k = np.arange(3.0)
    flat = Chart("flat", "All nothing", "k", "y", [Series("one", k, 0 * k)])
    run = Run("20260101-000001-aaaaaa", "experiment cores", {}, "v", "web.duckdb", "native", "0", "2026", 1.0)
    experiment_files.save(runs, run, Experiment("cores", {"main": pa.table({"n": [1]})}, [flat], []))
    assert seedrank("report").code == 0
    text = (web / "report.html").read_text()
    assert "Left out: chart <code>flat</code> (All nothing): every value is 0." in text
    assert "<title>All nothing" not in text


def test_landmarks_headings_and_captions(opened):
    page = opened()
    for role in ("banner", "navigation", "main", "contentinfo"):
        assert page.get_by_role(role).count() == 1, role
    assert page.locator("table:not(:has(caption))").count() == 0
    assert page.locator("svg[role]:not([aria-label])").count() == 0
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))
    broken = page.evaluate(
        "[...document.querySelectorAll('a[href^=\"#\"]')].filter(a => !document.querySelector(a.hash)).length"
    )
    assert broken == 0


def test_it_prints(opened, web):
    page = opened()
    page.pdf(path=web / "report.pdf")
    assert (web / "report.pdf").stat().st_size > 10_000


def test_verdicts_say_what_was_put_there(opened):
    page = opened()
    chips = page.locator("#experiments article > p .verdict").all_inner_texts()
    assert chips == ["1 holds", "1 holds by construction", "1 no data"]


def test_claims_name_their_paper_by_author(seedrank, web):
    assert seedrank("report").code == 0
    assert "Zheng et al. 2009: their figure" in (web / "report.html").read_text()


def test_the_records_show_the_commands_and_they_run(seedrank, web):
    assert seedrank("seeds", "maxweight", "-k", "2", "--hops", "1", "--value", "paper", "--value-spam", "-5",
                    "--only", "host=a*", "--site", "domain").code == 0  # fmt: skip
    assert seedrank("report").code == 0
    import html
    import shlex

    commands = re.findall(r"<pre tabindex=\"0\"><code>(.*?)</code>", (web / "report.html").read_text(), re.DOTALL)
    commands = [shlex.split(html.unescape(command)) for command in commands]
    [seeds] = [command for command in commands if "seeds" in command]
    assert seeds[1:5] == ["--store", "web.duckdb", "seeds", "maxweight"]
    for words in (
        ["-k", "2"],
        ["--value", "paper"],
        ["--value-spam", "-5.0"],
        ["--only", "host=a*"],
        ["--site", "domain"],
    ):
        assert any(seeds[place : place + 2] == words for place in range(len(seeds))), words
    first = seedrank("runs", "show", "run:latest", "--format", "csv").out
    assert seedrank(*seeds[1:]).code == 0
    assert seedrank("runs", "show", "run:latest", "--format", "csv").out == first


def test_only_the_runs_that_are_named(seedrank, web):
    rows = seedrank("runs", "--format", "csv").out
    [run] = [line.split(",")[0].strip('"') for line in rows.splitlines() if "rank pagerank" in line]
    assert seedrank("report", f"run:{run}", "-o", "one.html").code == 0
    text = (web / "one.html").read_text()
    assert "rank pagerank" in text
    assert "seeds maxweight <small>" not in text
    outcome = seedrank("report", "run:nope")
    assert outcome.code == 1
    assert "run 'nope' does not exist" in outcome.err


def test_broken_records_are_named_and_the_rest_is_shown(seedrank, web):
    runs = web / "web.duckdb.seedrank" / "runs"
    (runs / "20260101-000000-aaaaaa" / "experiment.json").write_text("{")
    for path in runs.glob("*/"):
        if "rank pagerank" in (path / "run.json").read_text():
            (path / "ranking.parquet").write_bytes(b"not parquet")
    (runs / "zz").mkdir()
    (runs / "zz" / "run.json").write_text("nonsense")
    outcome = seedrank("report")
    assert outcome.code == 0
    assert outcome.err.count("zz/run.json: not a run record") == 1
    text = (web / "report.html").read_text()
    assert "not an experiment that can be read" in text
    assert "the kept ranking cannot be read" in text
    assert "seeds maxweight" in text


def test_an_empty_graph_is_a_report_that_says_what_to_load(seedrank, tmp_path, empty_store):
    outcome = seedrank("--store", empty_store, "report")
    assert outcome.code == 0, outcome.err
    text = (tmp_path / "report.html").read_text()
    assert "fill it with <code>seedrank load</code>" in text
    assert "no page is crawled, so load links first" in text
    assert "load links that lead to such pages" in text


def test_a_graph_without_hosts_or_urls(seedrank, tmp_path):
    (tmp_path / "edges.txt").write_text("1 2\n2 3\n3 1\n3 4\n")
    assert seedrank("load", "snap", "edges.txt").code == 0
    assert seedrank("seeds", "maxout", "-k", "2").code == 0
    assert seedrank("report").code == 0
    text = (tmp_path / "report.html").read_text()
    assert "pages per host: load URLs or a host column" in text
    assert "The largest hosts" not in text
    assert "starve" not in text
    assert "no page has clicks or views, so load pages with such a column" in text


def test_a_place_that_cannot_be_written(seedrank, web):
    outcome = seedrank("report", "-o", "nowhere/report.html")
    assert outcome.code == 1
    assert outcome.err.splitlines()[-1].startswith("seedrank: nowhere/report.html: ")
    assert not Path("nowhere").exists()
