"""The site: its walker notices what is wrong, its contents are those of docs/index.md, and all of Python is in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import seedrank
from docs import check_site, conf

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
FINE = """
<link rel="stylesheet" href="_static/a.css?v=1"><link rel="next" href="b.html"><img src="data:image/png;base64,AA==">
<h1 id="top">A</h1> <a href="b.html#part">b</a> <a href="#top">up</a> <a href="#">top</a> <a href="sub/c.html">c</a>
<a href="https://example.org/">elsewhere</a> <a href="mailto:a@example.org">mail</a>
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site of three pages without a fault."""
    for name, text in {
        "a.html": FINE,
        "b.html": '<section id="part"></section><a href="a.html">a</a>',
        "sub/c.html": '<a href="../a.html#top">a</a><img src="../_static/p%20q.png"><a name="old"></a>',
        "_static/a.css": "@import 'b.css'; p { background: url(p%20q.png) }",
        "_static/b.css": "",
        "_static/p q.png": "",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_a_site_without_a_fault(site):
    assert check_site.wrong_with(site) == []
    assert check_site.main([str(site)]) == 0


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("a.html", '<a href="gone.html">', "a.html: gone.html: no such file"),
        ("a.html", '<a href="sub">', "a.html: sub: no such file"),
        ("a.html", '<a href="b.html#gone">', "a.html: b.html#gone: no such anchor"),
        ("a.html", '<a href="#gone">', "a.html: #gone: no such anchor"),
        ("sub/c.html", '<a href="a.html">', "sub/c.html: a.html: no such file"),
        ("a.html", '<img src="gone.png">', "a.html: gone.png: no such file"),
        ("a.html", '<img src="https://x.example/p.png">', "a.html: https://x.example/p.png: loaded from elsewhere"),
        ("a.html", '<script src="//x.example/s.js"></script>', "a.html: //x.example/s.js: loaded from elsewhere"),
        ("a.html", '<img srcset="http://x.example/p 2x">', "a.html: http://x.example/p: loaded from elsewhere"),
        ("a.html", '<p style="background: url(//x.example/p)">', "a.html: //x.example/p: loaded from elsewhere"),
        ("a.html", "<style>@import url(http://x.example/)</style>", "a.html: http://x.example/: loaded from elsewhere"),
        ("_static/b.css", "p { src: url('//x.example/f') }", "_static/b.css: //x.example/f: loaded from elsewhere"),
        ("_static/b.css", '@import "gone.css";', "_static/b.css: gone.css: no such file"),
    ],
)  # fmt: skip
def test_a_fault_is_told(site, capsys, file, text, told):
    (site / file).write_text((site / file).read_text() + text)
    assert check_site.main([str(site)]) == 1
    assert capsys.readouterr().err.splitlines() == [told]


def test_a_folder_without_pages_is_told(tmp_path, capsys):
    assert check_site.main([str(tmp_path)]) == 1
    assert "has no pages" in capsys.readouterr().err


def test_the_first_page_leads_to_all_of_the_sidebar():
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    linked = [(DOCS / link).resolve() for link in re.findall(r"\]\(([^)]+)\)", text)]
    contents = conf.CONTENTS["docs/index"]
    assert linked == [ROOT / f"{page}.md" for pages in contents.values() for page in pages]
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == [caption for caption in contents if caption != "Start"]


def test_every_page_is_below_another():
    below = {page for contents in conf.CONTENTS.values() for pages in contents.values() for page in pages}
    named = {path for page in below for path in ROOT.glob(f"{page}.md")}
    pages = {*ROOT.glob("*.md"), *DOCS.rglob("*.md"), ROOT / "benchmarks" / "README.md"} - {DOCS / "index.md"}
    assert named == {page for page in pages if "_build" not in page.parts}


def test_anchors_are_targets_of_sphinx():
    assert conf.for_sphinx("x", 'a\n\n<a id="b-1"></a>\n## B\n') == "a\n\n(b-1)=\n## B\n\n"
    folded = conf.for_sphinx("x", '<a id="c"></a>\n<details>\n<summary>C</summary>\n')
    assert folded == '(c)=\n\n<details id="c">\n<summary>C</summary>\n\n'
    assert conf.for_sphinx("x", 'inline <a id="d"></a>\n') == 'inline <a id="d"></a>\n\n'


def test_contents_are_put_below_a_page():
    text = conf.for_sphinx("docs/commands", "# Commands\n")
    assert text == "# Commands\n\n\n```{toctree}\n:hidden:\n:glob:\n\n/docs/commands/*\n```\n"


def test_every_public_name_of_python_is_described():
    text = (DOCS / "python.md").read_text(encoding="utf-8")
    auto = r"^\.\. auto(?:class|data|exception|function|module):: seedrank\.(?:api\.)?(\w+)$"
    described = re.findall(auto, text, re.MULTILINE)
    assert sorted(described) == sorted(set(seedrank.__all__) - {"__version__"})
