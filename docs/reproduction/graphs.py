"""The graphs, how each is loaded, and the commands that judge claims on it.

In commands ``{data}`` is the folder of the recorded graph and ``{work}`` that of stores and prepared tables.
"""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["EXPERIMENTS", "GRAPHS", "Command", "Graph"]

EXPERIMENTS = ("coverage", "cores", "ordering", "impact")
MINUTE = 60


@dataclass(frozen=True)
class Command:
    """A command of seedrank without its store.

    Parameters
    ----------
    text
        As it is typed.
    limit
        Seconds after which it is stopped. What an experiment has measured by then is kept, so a repeated run goes on.
    """

    text: str
    limit: int = 10 * MINUTE


@dataclass(frozen=True)
class Graph:
    """A graph and what is asked of it.

    Parameters
    ----------
    name, about
        Short name, and what it is.
    shows
        What it can show, and what it cannot.
    folder
        Of the recorded graph; none for a synthetic web.
    load
        Fills the store.
    judge
        Commands by label: the name of an experiment, or ``experiment: label`` for a second one of the same, or any
        other text for a command that an experiment needs.
    apart
        Why the graph does not enter the pooled line; empty where it may.
    site
        The site it is a recording of, where several graphs are: they count once.
    links
        Who sets its links: ``people`` or a ``machine`` that recommends; empty where it does not matter.
    """

    name: str
    about: str
    shows: str
    folder: str | None
    load: Command
    judge: dict[str, Command] = field(default_factory=dict)
    apart: str = ""
    site: str = ""
    links: str = ""

    @property
    def store(self) -> str:
        """Name of its store."""
        return f"{_slug(self.name)}.duckdb"


def _slug(text: str) -> str:
    words = "".join(letter if letter.isalnum() else " " for letter in text.lower()).split()
    return "-".join(words)


def _tables(pages: str, links: str, more: str = "") -> Command:
    return Command(f"load table --pages {pages} --links {links} {more}".strip())


_NO_INLINKS = "--min-external-inlinks 0"
_HOSTS = (
    "Its hosts are too few to judge coverage over sites: a figure without a verdict. Cores and orders are judged. "
    "Much of it is javadoc, and more than half of its pages were never crawled."
)
_STANDS_IN = "in-links stand in for impact: they are not what people read"
_ADDED = (
    "A frontier in time: the old recording, and the pages that the later one adds where a page crawled in both links "
    "to them. Impact of a new page is its in-link growth: links to it, in the later recording, from pages that are new "
    "too, so that no method sees a link that counts. Pages are trained on their in-links in the old recording."
)


def _in_time(name: str, folder: str, about: str) -> Graph:
    slug = _slug(name)
    return Graph(
        f"{name} in time", about, _ADDED, folder,
        _tables(f"{{work}}/{slug}-time-pages.tsv", f"{{work}}/{slug}-time-links.tsv"),
        {"impact": Command(f"experiment impact --truth {{work}}/{slug}-time-truth.tsv --impact inlinks {_SMALL}")},
        apart=_STANDS_IN,
    )  # fmt: skip


PEOPLE, MACHINE = "people", "a machine"
_WIKIPEDIA, _CRAWL = "--omega 0.2 --beta 1 --budget 5% --budget 10%", "--budget 5% --budget 10%"
_SMALL = "--budget 1% --budget 2%"
_VIEWS = "experiment impact --impact views"
_NEW = (
    "A frontier in time: pages older than the rest, and the newer third that they link to, with the views it came to. "
    "Links are those of the one recording: an old page may have got its link to a newer one late."
)


def _musae(topic: str) -> list[Graph]:
    about = f"Wikipedia articles on one topic ({topic}), mean monthly views"
    views = {"impact": Command(f"{_VIEWS} {_WIKIPEDIA}")}
    return [
        Graph(
            f"musae {topic}", about,
            "Hidden pages with views. Copies (same views, same out-links) are folded into one page first. No searches.",
            "musae-wikipedia",
            _tables(f"{{work}}/musae-{topic}-pages.tsv", f"{{work}}/musae-{topic}-links.tsv"), views,
            site="musae", links=PEOPLE,
        ),
        Graph(
            f"musae {topic} (both ways)", f"{about}; every link in both directions",
            "Whether a verdict depends on the direction of the links, which the source leaves open.",
            "musae-wikipedia",
            _tables(f"{{work}}/musae-{topic}-pages.tsv", f"{{work}}/musae-{topic}-both.tsv"), views,
            apart=f"the pages of musae {topic}, links read in another way",
        ),
    ]  # fmt: skip


def _viewed(name: str, folder: str, about: str, options: str, site: str = "", links: str = PEOPLE) -> Graph:
    """A recorded graph with views, loaded as it is: some of its pages are hidden."""
    return Graph(
        name, about, "Hidden pages with views. No searches.", folder,
        _tables("{data}/pages.tsv.gz", "{data}/links.tsv.gz"), {"impact": Command(f"{_VIEWS} {options}")},
        site=site, links=links,
    )  # fmt: skip


def _dated(name: str, folder: str, options: str, site: str = "", links: str = PEOPLE) -> Graph:
    """The same pages by date: the newer third is the frontier."""
    return Graph(
        f"{name} in time", f"{name}, the newer third of its pages as the frontier", _NEW, folder,
        _tables(f"{{work}}/{folder}-time-pages.tsv", f"{{work}}/{folder}-time-links.tsv"),
        {"impact": Command(f"{_VIEWS} --truth {{work}}/{folder}-time-truth.tsv {options}")},
        site=site, links=links,
    )  # fmt: skip


_OTHERS = (
    # name, folder, what it is, site, who sets the links, whether its pages have dates
    ("ted", "ted-talks", "2,550 talks and those their pages name as related", "ted", MACHINE, True),
    ("stack exchange", "se-cs-2014", "6,118 questions of one Stack Exchange site", "stack exchange", PEOPLE, True),
    ("forum", "urho3d-forum", "5,046 topics of a forum", "forum", PEOPLE, True),
    ("youtube 2007-02-22", "youtube-2007-02-22", "3,331 videos, and those named as related", "youtube", MACHINE, True),
    ("youtube 2007-02-28", "youtube-2007-02-28", "3,967 videos, and those named as related", "youtube", MACHINE, True),
    ("youtube 2008-03-27", "youtube-2008-03-27", "4,318 videos, and those named as related", "youtube", MACHINE, True),
    ("youtube 2016", "youtube-2016-election", "8,891 videos, and those recommended", "youtube", MACHINE, False),
)


def _with_views() -> list[Graph]:
    """Recorded graphs with views, each loaded as it is; those with dates also by date."""
    found = [
        _viewed(
            f"wikipedia {name}",
            folder,
            f"Wikipedia articles around one, {folder[-7:-3]}; a day's views",
            _WIKIPEDIA,
            "wikipedia",
        )
        for name, folder in (("stanlee", "wikipedia-stanlee-2018-11"), ("rickman", "wikipedia-rickman-2016-01"))
    ]
    for name, folder, about, site, links, dated in _OTHERS:
        options = _SMALL if site == "youtube" else _CRAWL
        found.append(_viewed(name, folder, about, options, site, links))
        if dated:
            found.append(_dated(name, folder, options, site, links))
    return found


def _transfer(name: str, old_store: str, more: str = "") -> str:
    return (
        f"experiment cores --transfer-from {{work}}/{name}-seeds.csv --transfer-against {{work}}/{name}-random.csv "
        f"--old-store {{work}}/{old_store} {more}"
    ).strip()


def _old_seeds(name: str, more: str = "") -> dict[str, Command]:
    return {
        "core seeds": Command(f"seeds cores -k 100 -o {{work}}/{name}-seeds.csv {more}".strip()),
        "random pages": Command(f"seeds random -k 1000 -o {{work}}/{name}-random.csv"),
    }


_ASF, _JAVADOC = "asf-web-2snapshots", "javadoc-2versions"
_QUICK = "Quick: fewer repeats, to keep the whole run under an hour."
_NO_SITES = "No hosts: same-site links cannot be told from others, and FPR@M is FPR."

GRAPHS = [
    Graph(
        "debian-docs", "140 documentation sites, from Debian packages",
        "Coverage over many sites, chosen by hand from the packages. Almost no links between sites, so sites that "
        "nobody links to stay in.",
        "debian-docs", _tables("{data}/pages.tsv.gz", "{data}/links.tsv.gz"),
        {"coverage": Command(f"experiment coverage {_NO_INLINKS}", 15 * MINUTE)},
    ),
    Graph(
        "javadoc new", "javadoc of 37 libraries, about 2022 to 2023",
        "Coverage over sites that one generator made, so they are alike, and nearly every page reaches every other; "
        "sites that nobody links to stay in.",
        _JAVADOC, _tables("{data}/new.pages.tsv.gz", "{data}/new.links.tsv.gz"),
        {
            "coverage": Command(f"experiment coverage {_NO_INLINKS}"),
            "cores": Command("experiment cores"),
            "ordering": Command("experiment ordering"),
        },
    ),
    Graph(
        "javadoc old", "the same libraries, about 2019 to 2020",
        "As javadoc new, and how its seeds hold in the newer recording.",
        _JAVADOC, _tables("{data}/old.pages.tsv.gz", "{data}/old.links.tsv.gz"),
        {
            "coverage": Command(f"experiment coverage {_NO_INLINKS} --newer {{work}}/javadoc-new.duckdb"),
            **_old_seeds("javadoc", "--keep-same-site"),
        },
        apart="the same web as javadoc new, at another time: counted once",
    ),
    Graph(
        "javadoc old → new", "seeds of javadoc old, crawled in javadoc new",
        "Transfer of seeds; its other claims are of the cores of javadoc new alone. Libraries hardly link to each "
        "other: links within a site stay in.",
        _JAVADOC, Command(""),
        {"cores": Command(f"--store {{work}}/javadoc-new.duckdb "
                          f"{_transfer('javadoc', 'javadoc-old.duckdb', '--keep-same-site')}")},
        apart="links within a site stay in, which distorts cores",
    ),
    Graph(
        "webkb", "a crawl of computer-science departments, 1997",
        "Coverage over its small sites too (10 pages or more; the paper takes 100), cores and orders. 8,206 of its "
        "83,000 pages were crawled: what an order fetches is mostly pages without links.",
        "webkb-crawl-1997",
        _tables("{data}/nodes.tsv.gz", "{data}/edges.tsv.gz",
                "--link-columns source,target,weight --urls verbatim"),
        {
            "coverage": Command("experiment coverage"),
            "coverage: small sites": Command("experiment coverage --min-pages 10"),
            "cores": Command("experiment cores"),
            "ordering": Command("experiment ordering"),
        },
    ),
    Graph(
        "asf 2021", "pages of 12 Apache sites at the end of 2021",
        _HOSTS, _ASF,
        _tables("{data}/2021-12-31.pages.tsv.gz", "{data}/2021-12-31.links.tsv.gz"),
        {
            **_old_seeds("asf"),
            "cores": Command("experiment cores"),
            "ordering": Command("experiment ordering"),
        },
        apart="the same web as asf 2024, at another time: counted once",
    ),
    Graph(
        "asf 2024", "15 Apache sites in October 2024",
        f"{_HOSTS} Also transfer: seeds of asf 2021, crawled here.", _ASF,
        _tables("{data}/2024-10-31.pages.tsv.gz", "{data}/2024-10-31.links.tsv.gz"),
        {
            "coverage": Command("experiment coverage"),
            "cores": Command(_transfer("asf", "asf-2021.duckdb"), 15 * MINUTE),
            "ordering": Command("experiment ordering", 15 * MINUTE),
        },
    ),
    Graph(
        "asf 2021 (coverage)", "the same pages as asf 2021",
        "9 sites are too few to judge coverage: a figure without a verdict. How its seeds hold in 2024 is the table "
        "`transfer` of the experiment; the paper claims nothing of it.", _ASF, Command(""),
        {"coverage": Command("--store {work}/asf-2021.duckdb experiment coverage --newer {work}/asf-2024.duckdb")},
        apart="the same web as asf 2024, at another time: counted once",
    ),
    Graph(
        "indie-map", "2,344 IndieWeb sites, 2017, one node a site",
        "Cores and orders between sites. A node is a site: no coverage, and FPR@M is FPR. 0.4 % of the sites were "
        "crawled.", "indie-map-2017",
        _tables("{work}/indie-map-pages.tsv", "{data}/edges.tsv.gz"),
        {"cores": Command("experiment cores"), "ordering": Command("experiment ordering")},
    ),
    Graph(
        "polblogs", "political blogs that link to each other, 2004",
        "Cores and orders on a small graph. Nearly every link leads to another host, so FPR@M is nearly FPR.",
        "polblogs",
        _tables("{work}/polblogs-pages.tsv", "{data}/edges.tsv", "--link-columns source,target"),
        {"cores": Command("experiment cores"), "ordering": Command("experiment ordering")},
    ),
    Graph(
        "cnr-2000", "a crawl of cnr.it", f"{_NO_SITES} {_QUICK}", "cnr-2000",
        Command("load adjacency {data}/cnr-2000.graph-txt.gz"),
        {
            "cores": Command("experiment cores --keep-same-site --quick"),
            "ordering": Command("experiment ordering --quick"),
        },
        apart="no hosts",
    ),
    Graph(
        "web-NotreDame", "a crawl of nd.edu", f"{_NO_SITES} {_QUICK}", "web-NotreDame",
        Command("load snap {data}/web-NotreDame.txt.gz"),
        {
            "cores": Command("experiment cores --keep-same-site --quick"),
            "ordering": Command("experiment ordering --quick"),
        },
        apart="no hosts",
    ),
    Graph(
        "wikispeedia", "articles of a Wikipedia for schools, views by players of a game",
        "Hidden pages with views. Its searches are target articles of missions, which stand in for real ones.",
        "wikispeedia",
        _tables("{work}/wikispeedia-views.tsv", "{data}/links.tsv",
                "--page-columns url,views --link-columns source,target --queries {work}/wikispeedia-queries.tsv "
                "--url-prefix https://en.wikipedia.org/wiki/"),
        {"impact": Command(f"{_VIEWS} {_WIKIPEDIA} --budget 2% --queries-are 'target articles of missions'")},
        links=PEOPLE,
    ),
    *_musae("chameleon"),
    *_musae("squirrel"),
    *_with_views(),
    _in_time("asf", _ASF, "asf 2021, and what 2024 adds"),
    _in_time("javadoc", _JAVADOC, "javadoc old, and what javadoc new adds"),
    Graph(
        "synthetic web", "`seedrank generate`: 200,000 pages with the links a page and between hosts of UK-2002",
        "That a claim can be seen where the generator has the property. No evidence: never pooled.", None,
        _tables("{work}/synthetic/pages.parquet", "{work}/synthetic/links.parquet",
                "--hosts {work}/synthetic/hosts.parquet --queries {work}/synthetic/queries.parquet "
                "--results {work}/synthetic/results.parquet"),
        {
            "coverage": Command("experiment coverage --min-pages 30"),
            "cores": Command("experiment cores --quick"),
            "ordering": Command("experiment ordering --quick"),
            "impact": Command("experiment impact --truth {work}/synthetic/truth.parquet --quick"),
        },
    ),
]  # fmt: skip
