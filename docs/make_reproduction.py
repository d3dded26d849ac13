"""Write docs/reproduction.md: every paper's claims on real graphs and on a synthetic web, by the commands it shows.

    python docs/make_reproduction.py WORK [DATA]

WORK keeps the stores and what each command has found: a repeated run goes on where it stopped. DATA is the folder of
real graphs, ``../shared/data`` by default; graphs that are not there are left out, and the page says so.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from seedrank.core.version import VERSION

DOCS = Path(__file__).resolve().parent
PAPERS = {
    "000": "Seeds that cover the most (Zheng et al. 2009)",
    "001": "Seeds from HITS cores (Daneshpajouh et al. 2008)",
    "002": "Crawl orders (Alam et al.)",
    "004": "Which frontier pages will matter (Tran et al. 2015)",
}


@dataclass(frozen=True)
class Graph:
    """A graph: its name here, what it is, the commands that load it, and those that judge claims on it.

    In commands ``{data}`` is the folder of the real graph and ``{work}`` that of the stores.
    """

    name: str
    about: str
    folder: str | None
    load: str
    judge: dict[str, str] = field(default_factory=dict)


GRAPHS = [
    Graph(
        "asf 2021", "pages of the Apache sites at the end of 2021", "asf-web-2snapshots",
        "load table --pages {data}/2021-12-31.pages.tsv.gz --links {data}/2021-12-31.links.tsv.gz",
        {
            "core seeds": "seeds cores -k 100 -o {work}/old-seeds.csv",
            "random pages": "seeds random -k 1000 -o {work}/old-random.csv",
        },
    ),
    Graph(
        "asf 2024", "the same sites in October 2024", "asf-web-2snapshots",
        "load table --pages {data}/2024-10-31.pages.tsv.gz --links {data}/2024-10-31.links.tsv.gz",
        {
            "cores": "experiment cores --transfer-from {work}/old-seeds.csv --transfer-against {work}/old-random.csv",
            "ordering": "experiment ordering",
        },
    ),
    Graph(
        "asf 2021 → 2024", "seeds of 2021 measured in 2024", "asf-web-2snapshots", "",
        {"coverage": "--store {work}/asf-2021.lbug experiment coverage --newer {work}/asf-2024.lbug"},
    ),
    Graph(
        "webkb", "a crawl of computer-science departments, 1997", "webkb-crawl-1997",
        "load table --pages {data}/nodes.tsv.gz --links {data}/edges.tsv.gz --link-columns source,target,weight "
        "--urls verbatim",
        {
            "coverage": "experiment coverage",
            "coverage of small sites": "experiment coverage --min-pages 10",
            "ordering": "experiment ordering",
        },
    ),
    Graph(
        "wikispeedia", "articles and links of a Wikipedia for schools, views by players of a game", "wikispeedia",
        "load table --pages {work}/wikispeedia-views.tsv --page-columns url,views --links {data}/links.tsv "
        "--link-columns source,target --queries {work}/wikispeedia-queries.tsv "
        "--url-prefix https://en.wikipedia.org/wiki/",
        {"impact": "experiment impact --impact views --queries-are 'target articles of missions'"},
    ),
    Graph(
        "polblogs", "political blogs that link to each other, 2004", "polblogs",
        "load table --pages {work}/polblogs-pages.tsv --links {data}/edges.tsv --link-columns source,target",
        {"cores": "experiment cores", "ordering": "experiment ordering"},
    ),
    Graph(
        "cnr-2000", "a crawl of cnr.it; no hosts", "cnr-2000", "load adjacency {data}/cnr-2000.graph-txt.gz",
        {"cores": "experiment cores --keep-same-site --quick", "ordering": "experiment ordering --quick"},
    ),
    Graph(
        "web-NotreDame", "a crawl of nd.edu; no hosts", "web-NotreDame", "load snap {data}/web-NotreDame.txt.gz",
        {"cores": "experiment cores --keep-same-site --quick", "ordering": "experiment ordering --quick"},
    ),
    Graph(
        "synthetic web", "`seedrank generate`, 200,000 pages", None,
        "load table --pages {work}/made/pages.parquet --links {work}/made/links.parquet "
        "--hosts {work}/made/hosts.parquet --queries {work}/made/queries.parquet "
        "--results {work}/made/results.parquet",
        {
            "coverage": "experiment coverage --min-pages 30",
            "cores": "experiment cores",
            "ordering": "experiment ordering",
            "impact": "experiment impact --truth {work}/made/truth.parquet",
        },
    ),
]  # fmt: skip


def run(work: Path, words: list[str]) -> str:
    """Run a command of seedrank, or take what it gave in an earlier run of this script."""
    kept = work / "outputs" / ("".join(c if c.isalnum() else "-" for c in " ".join(words))[-180:] + ".json")
    if kept.is_file():
        return kept.read_text(encoding="utf-8")
    print(f"$ seedrank {shlex.join(words)}", flush=True)
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "cli.main", "--quiet", *words], stdout=subprocess.PIPE, text=True, cwd=DOCS.parent
    )
    if done.returncode:
        sys.exit(f"seedrank {shlex.join(words)} ended with {done.returncode}")
    print(f"  {time.perf_counter() - started:.0f} s", flush=True)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(done.stdout, encoding="utf-8")
    return done.stdout


def prepare(work: Path, data: Path) -> None:
    """Files that some graphs need: views and missions of wikispeedia, URLs of blogs, the synthetic web."""
    work.mkdir(parents=True, exist_ok=True)
    players = data / "wikispeedia"
    if players.is_dir():
        views = (players / "page_views.tsv").read_text(encoding="utf-8").splitlines(keepends=True)[1:]
        (work / "wikispeedia-views.tsv").write_text("".join(views), encoding="utf-8")
        paths = (players / "paths_finished_resolved.tsv").read_text(encoding="utf-8").splitlines()
        targets = Counter(unquote(path.split(";")[-1]).replace("_", " ") for path in paths if path)
        lines = "".join(f"{text}\t{count}\n" for text, count in targets.items())
        (work / "wikispeedia-queries.tsv").write_text(f"query\tfreq\n{lines}", encoding="utf-8")
    blogs = data / "polblogs"
    if blogs.is_dir():
        rows = [line.split("\t")[:2] for line in (blogs / "nodes.tsv").read_text(encoding="utf-8").splitlines()[1:]]
        lines = "".join(f"{number}\thttp://{place}\n" for number, place in rows)
        (work / "polblogs-pages.tsv").write_text(f"id\turl\n{lines}", encoding="utf-8")
    if not (work / "made").is_dir():
        run(work, ["generate", str(work / "made"), "--pages", "200000"])


def judge(work: Path, data: Path) -> tuple[list[dict[str, str]], list[str], list[str]]:
    """Claims of every graph, the commands, and the graphs that are not there."""
    claims: list[dict[str, str]] = []
    commands: list[str] = []
    missing: list[str] = []
    for graph in GRAPHS:
        folder = data / (graph.folder or "")
        if graph.folder and not folder.is_dir():
            missing.append(graph.name)
            continue
        places = {"data": str(folder), "work": str(work)}
        store = f"{work}/{graph.name.replace(' ', '-')}.lbug"
        commands.append(f"# {graph.name}: {graph.about}")
        for what, text in [("load", graph.load), *graph.judge.items()]:
            if not text:
                continue
            whole = text if text.startswith("--store") else f"--store {store} {text}"
            words = [word.format(**places) for word in shlex.split(whole)]
            output = run(work, words)
            shown = shlex.join(words).replace(str(data), "DATA").replace(str(work), "WORK")
            commands.append(f"seedrank {shown}")
            if "experiment" in words:
                label = graph.name if what in ("coverage", "cores", "ordering", "impact") else f"{graph.name}, {what}"
                claims += [{**json.loads(line), "graph": label} for line in output.splitlines()]
    return claims, commands, missing


def page(claims: list[dict[str, str]], commands: list[str], missing: list[str]) -> str:
    """The document."""
    lines = [
        "# Reproduction",
        "",
        "The claims of the papers, judged on recorded graphs and on a synthetic web. Made by `make reproduction` with",
        f"seedrank {VERSION}; the commands stand at the end. A claim *holds* where the whole 95 % interval says so,",
        "*does not hold* where the whole interval says the opposite, and *cannot be judged* otherwise, or where the",
        "graph lacks what the claim is about. On the synthetic web a claim can hold *by construction*: its",
        "generator has the property, and that alone is no evidence.",
    ]
    if missing:
        lines += ["", f"Left out, because the data was not there: {', '.join(missing)}."]
    for paper, title in PAPERS.items():
        mine = [claim for claim in claims if claim["paper"].startswith(paper)]
        if not mine:
            continue
        tally = Counter(_verdict(claim) for claim in mine)
        lines += [
            "",
            f"## {title}",
            "",
            "Verdicts: " + ", ".join(f"{verdict} {count}" for verdict, count in tally.most_common()) + ".",
        ]
        for text in dict.fromkeys(claim["claim"] for claim in mine):
            same = [claim for claim in mine if claim["claim"] == text]
            reported = next((claim["reported"] for claim in same if claim["reported"]), "")
            lines += ["", f"**{text}**" + (f" The paper: {reported}" if reported else ""), ""]
            lines += ["| graph | measured | verdict |", "| --- | --- | --- |"]
            for claim in same:
                verdict = _verdict(claim).replace("does not hold", "**does not hold**")
                if claim["why"]:
                    verdict += f": {claim['why']}"
                lines.append(f"| {claim['graph']} | {_cell(claim['measured'])} | {_cell(verdict)} |")
    lines += ["", "## Commands", "", "```", *commands, "```", ""]
    return "\n".join(lines)


def _verdict(claim: dict[str, str]) -> str:
    """The verdict; on a synthetic web a claim holds by construction at most."""
    made = claim["by_construction"] and claim["verdict"] == "holds"
    return "holds by construction" if made else claim["verdict"]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("data", type=Path, nargs="?", default=DOCS.parents[1] / "shared" / "data")
    given = parser.parse_args()
    work, data = given.work.resolve(), given.data.resolve()
    prepare(work, data)
    (DOCS / "reproduction.md").write_text(page(*judge(work, data)), encoding="utf-8")


if __name__ == "__main__":
    main()
