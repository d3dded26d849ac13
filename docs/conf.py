"""How Sphinx makes the site: ``make site``.

The source folder is that of the project, so that links between README.md, CONTRIBUTING.md and the pages of docs/ lead
to the same places here and on the hosting site. Pages are plain Markdown; what only Sphinx needs is added below.
"""

from __future__ import annotations

import re
from typing import Any

from seedrank.core.package import VERSION
from seedrank.questions.question import Question

project = "seedrank"
project_copyright = "seedrank contributors"
version = release = VERSION

CONTENTS: dict[str, dict[str, list[str]]] = {
    "docs/index": {
        "Start": ["README"],
        "Tutorials": [
            "docs/tutorials/nutch",
            "docs/tutorials/search-logs",
            "docs/tutorials/web-archive",
            "docs/tutorials/webgraph",
            "docs/tutorials/spam",
            "docs/tutorials/quality",
        ],
        "How to": ["docs/explore", "docs/operations", "docs/scale", "docs/py2neo"],
        "Reference": ["docs/commands", "docs/python", "docs/formats"],
        "Explanation": [
            "docs/methods",
            "docs/algorithms",
            "docs/architecture",
            "docs/findings",
            "docs/reproduction",
            "docs/benchmarks",
        ],
        "The project": ["CONTRIBUTING", "CHANGELOG", "SECURITY", "CODE_OF_CONDUCT", "RELEASE", "THIRD_PARTY"],
    },
    "docs/commands": {"": ["docs/commands/*"]},
    "CONTRIBUTING": {"": ["docs/contributing/*", "benchmarks/README"]},
}
"""The pages below a page, by caption, in the order of the sidebar."""
TITLES = {"README": "Overview and quick start"}
"""What the sidebar calls pages whose heading would say too little there."""

root_doc = "docs/index"
include_patterns = ["*.md", "docs/**.md", "benchmarks/README.md"]
exclude_patterns = [".*", "bench-paper", "build", "demo", "dist", "docs/_build", "reproduction", "tests"]
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]

myst_heading_anchors = 4
smartquotes = False  # two hyphens are an option, not a dash
highlight_language = "text"
suppress_warnings = ["misc.highlighting_failure"]  # Pygments knows no parameters in Cypher, and colours the rest
default_role = "py:obj"  # in docstrings `Workbench` is a link where it is described, and code everywhere
autodoc_default_options = {"members": True}
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_display_short_literal_types = True
python_maximum_signature_line_length = 80
napoleon_google_docstring = False
napoleon_use_rtype = False

html_theme = "furo"
html_title = f"seedrank {VERSION}"
html_static_path = ["site/style.css", "site/unfold.js"]
html_css_files = ["style.css"]
html_js_files = ["unfold.js"]
html_extra_path = ["site/index.html"]  # the first address leads to docs/index.html
html_copy_source = False
html_show_sphinx = False

_ANCHOR = re.compile(r'^<a id="([a-z0-9-]+)"></a>$(\n<details)?', re.MULTILINE)


def for_sphinx(name: str, text: str) -> str:
    """A page with its anchors as Sphinx's targets, so that links to them are checked, and with its contents."""
    parts = [_ANCHOR.sub(_target, text)]
    for caption, pages in CONTENTS.get(name, {}).items():
        options = [":hidden:", ":glob:", *([f":caption: {caption}"] if caption else [])]
        rows = [f"{TITLES[page]} </{page}>" if page in TITLES else f"/{page}" for page in pages]
        parts.append("\n".join(["```{toctree}", *options, "", *rows, "```"]))
    return "\n\n".join(parts) + "\n"


def _target(anchor: re.Match[str]) -> str:
    name, folded = anchor.groups()
    # Sphinx gives a heading the name of the target above it, and HTML that is written out nothing.
    return f'({name})=\n\n<details id="{name}"' if folded else f"({name})="


def _read(_: Any, name: str, source: list[str]) -> None:
    source[0] = for_sphinx(name, source[0])


def _as_it_is(_app: Any, _what: str, _name: str, about: Any, _options: Any, lines: list[str]) -> None:
    # The help of a field is written for a terminal: an asterisk there is one.
    if isinstance(about, type) and issubclass(about, Question):
        lines[:] = [line.replace("*", r"\*") for line in lines]


def _dashes(_: Any, page: Any) -> None:
    from docutils import nodes  # here, as tests read this file without Sphinx

    # Between a parameter and what it is; Sphinx leaves that to smart quotes, which are off.
    for text in list(page.findall(nodes.Text)):
        if text == " -- ":
            text.parent.replace(text, nodes.Text(" – "))


def setup(app: Any) -> None:
    app.connect("source-read", _read)
    app.connect("doctree-read", _dashes)
    app.connect("autodoc-process-docstring", _as_it_is, priority=400)  # before napoleon, which writes asterisks
