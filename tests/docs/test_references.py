"""The repository explains itself: cited sections exist, links between documents resolve, papers have names."""

from __future__ import annotations

import re
from pathlib import Path

from seedrank.methods.crawl.methods import CRAWL
from seedrank.methods.frontier.methods import FRONTIER
from seedrank.methods.rank.methods import RANK
from seedrank.methods.seeds.methods import SEEDS

ROOT = Path(__file__).resolve().parents[2]
ALGORITHMS = ROOT / "docs" / "algorithms.md"
FOLDERS = ("benchmarks", "cli", "cypher", "docs", "exporters", "graphdb", "loaders", "seedrank", "tests")
DOCUMENTS = sorted((*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "benchmarks" / "README.md"))
SUFFIXES = {".py", ".md", ".cypher", ".html", ".js"}
TEXTS = [
    *(path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*")) if path.suffix in SUFFIXES),
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "Makefile", "pyproject.toml")),
]
TEXTS = [path for path in TEXTS if "_build" not in path.parts]
TEXTS.remove(Path(__file__).resolve())

SECTION = r"§\d+(?:\.\d+)*"
CITED = re.compile(rf"algorithms\.md ({SECTION}(?:, {SECTION})*)")


def text_of(path: Path) -> str:
    """The text; of the changelog only what is not released yet, since older entries stay as they were."""
    text = path.read_text(encoding="utf-8")
    return text.split("\n## ")[1] if path.name == "CHANGELOG.md" else text


def sections() -> list[str]:
    return re.findall(r"^##+ (\d+(?:\.\d+)*)\.? ", ALGORITHMS.read_text(encoding="utf-8"), re.MULTILINE)


def anchors(document: Path) -> set[str]:
    """Names a link may point to: those given outright, and those GitHub makes of headings."""
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    slugs = {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}
    return slugs | set(re.findall(r'<a id="([^"]+)">', text))


def links(document: Path) -> list[tuple[str, str]]:
    """Relative links: file (empty for the document itself) and anchor."""
    text = re.sub(r"```.*?```|`[^`\n]*`", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    found = re.findall(r"\]\(([^)\s#]*)#?([^)\s]*)\)", text)
    return [(file, anchor) for file, anchor in found if "://" not in file and not file.startswith("mailto:")]


def test_sections_are_numbered_in_order_and_have_an_anchor_each():
    numbers = [tuple(map(int, number.split("."))) for number in sections()]
    assert numbers == sorted(set(numbers))
    named = re.findall(r'^<a id="[a-z-]+"></a>\n##+ \d', ALGORITHMS.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(named) == len(numbers)


def test_every_registered_method_is_described():
    """By its name, in a heading, a table or marked, whose parts may stand apart there."""
    text = ALGORITHMS.read_text(encoding="utf-8").lower()
    for registry in (SEEDS, CRAWL, FRONTIER, RANK):
        for name in (one.name for one in registry.built_in):
            words = r"[ -]?".join(map(re.escape, name.split("-")))
            named = rf"^(?:#.*\b|\|.*\b){words}\b|[*`]{words}\b|\({words}\b"
            assert re.search(named, text, re.MULTILINE), f"{name} is not in docs/algorithms.md"


def test_every_cited_section_exists():
    known = set(sections())
    cited = 0
    for path in TEXTS:
        text = text_of(path)
        for group in CITED.findall(text):
            for number in re.findall(r"[\d.]+\d|\d", group):
                assert number in known, f"{path.relative_to(ROOT)}: §{number}"
                cited += 1
        # A section sign without the document would leave the reader guessing.
        stray = CITED.sub("", text).count("§")
        assert not stray, f"{path.relative_to(ROOT)}: {stray} section signs do not name docs/algorithms.md"
    assert cited


def test_papers_are_called_by_author():
    for path in TEXTS:
        text = text_of(path)
        assert not re.search(r"\bpapers? 00\d", text, re.IGNORECASE), path
        assert "ALGORITHMS" not in text, path


def test_links_between_documents_resolve():
    for document, file, anchor in [(one, *link) for one in DOCUMENTS for link in links(one)]:
        target = (document.parent / file).resolve() if file else document
        assert target.exists(), f"{document.relative_to(ROOT)}: {file}"
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), f"{document.relative_to(ROOT)}: {file}#{anchor}"


def test_every_paper_that_is_named_is_in_the_references():
    references = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## References\n")[2]
    listed = set(re.findall(r"^- \*\*(.+?)\.\*\*", references, re.MULTILINE))
    people = r"[A-Z][a-z]+(?:-[A-Z][a-z]+)?"
    named = re.compile(rf"\b({people}(?: et al\.| and {people})? (?:19|20)\d\d)\b")
    docs = ROOT / "docs"
    for document in (docs / "algorithms.md", docs / "methods.md", *sorted((docs / "commands").glob("*.md"))):
        for name in named.findall(document.read_text(encoding="utf-8")):
            if "et al" in name or " and " in name:
                assert name in listed, f"{document.name}: {name}"
