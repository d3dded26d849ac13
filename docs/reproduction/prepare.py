"""Tables that some graphs need before they are loaded, from the recorded files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

import pandas as pd

__all__ = ["GENERATE", "PREPARE", "fold_copies", "in_time", "split_by_date"]

GENERATE = "generate {work}/synthetic --pages 200000 --links-per-page 16.1 --inter-host 0.076"
"""UK-2002 has 298.1 million links on 18.5 million pages, 22.7 million of them between hosts."""


def wikispeedia(data: Path, work: Path) -> str:
    """Views without the header, and the target articles of missions as searches."""
    views = (data / "page_views.tsv").read_text(encoding="utf-8").splitlines(keepends=True)[1:]
    (work / "wikispeedia-views.tsv").write_text("".join(views), encoding="utf-8")
    paths = (data / "paths_finished_resolved.tsv").read_text(encoding="utf-8").splitlines()
    targets = Counter(unquote(path.split(";")[-1]).replace("_", " ") for path in paths if path)
    lines = "".join(f"{text}\t{count}\n" for text, count in targets.items())
    (work / "wikispeedia-queries.tsv").write_text(f"query\tfreq\n{lines}", encoding="utf-8")
    return f"{len(targets):,} target articles as searches"


def polblogs(data: Path, work: Path) -> str:
    """Addresses of the blogs."""
    nodes = pd.read_csv(data / "nodes.tsv", sep="\t", quoting=3)
    pages = pd.DataFrame({"id": nodes["id"], "url": "http://" + nodes["host_or_url"].astype(str)})
    _write(pages, work / "polblogs-pages.tsv")
    return f"{len(pages):,} blogs"


def indie_map(data: Path, work: Path) -> str:
    """A site each, by its address; names that are no host are left out by the loader, which counts them."""
    nodes = pd.read_csv(data / "nodes.tsv.gz", sep="\t", quoting=3, dtype=str, keep_default_na=False)
    pages = pd.DataFrame({"id": nodes["id"], "url": "http://" + nodes["host"] + "/", "status": nodes["status"]})
    _write(pages, work / "indie-map-pages.tsv")
    return f"{int((pages['status'] == 'crawled').sum()):,} crawled sites, {len(pages):,} in all"


def musae(data: Path, work: Path) -> str:
    """Both topics with copies folded; links as recorded, and both ways."""
    said = []
    for topic in ("chameleon", "squirrel"):
        pages, links = (
            pd.read_csv(data / f"{topic}.{kind}.tsv.gz", sep="\t", comment="#") for kind in ("pages", "links")
        )
        kept, folded = fold_copies(pages, links)
        both = pd.concat([folded, folded.rename(columns={"source": "target", "target": "source"})])
        _write(kept, work / f"musae-{topic}-pages.tsv")
        _write(folded, work / f"musae-{topic}-links.tsv")
        _write(both[["source", "target"]].drop_duplicates(), work / f"musae-{topic}-both.tsv")
        said.append(f"{topic}: {len(pages):,} pages folded to {len(kept):,}")
    return "; ".join(said)


def fold_copies(pages: pd.DataFrame, links: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """One page for all with the same views and the same out-links; their links lead from and to that page.

    Parameters
    ----------
    pages
        ``id`` and ``views``.
    links
        ``source`` and ``target``; those of a page to itself do not count.
    """
    links = links[links["source"] != links["target"]]
    targets = links.groupby("source")["target"].agg(lambda some: tuple(sorted(set(some))))
    alike = pd.DataFrame({"views": pages["views"].to_numpy(), "out": pages["id"].map(targets).to_numpy()})
    alike["out"] = [out if isinstance(out, tuple) else () for out in alike["out"]]
    alike["id"] = pages["id"].to_numpy()
    first = pd.Series(alike.groupby(["views", "out"])["id"].transform("min").to_numpy(), index=pages["id"])
    kept = pages[pages["id"].isin(set(first))].reset_index(drop=True)
    folded = pd.DataFrame({"source": links["source"].map(first), "target": links["target"].map(first)})
    folded = folded[folded["source"] != folded["target"]].drop_duplicates().reset_index(drop=True)
    return kept, folded


def asf(data: Path, work: Path) -> str:
    """The frontier of 2024 on the pages of 2021."""
    return _frontier_in_time(data, work, "asf", "2021-12-31", "2024-10-31")


def javadoc(data: Path, work: Path) -> str:
    """The frontier of the new versions on the pages of the old ones."""
    return _frontier_in_time(data, work, "javadoc", "old", "new")


def _frontier_in_time(data: Path, work: Path, name: str, old: str, new: str) -> str:
    tables = [
        pd.read_csv(data / f"{time}.{kind}.tsv.gz", sep="\t", quoting=3)
        for time in (old, new)
        for kind in ("pages", "links")
    ]
    pages, links, truth, said = in_time(*tables)
    _write(pages, work / f"{name}-time-pages.tsv")
    _write(links, work / f"{name}-time-links.tsv")
    _write(truth, work / f"{name}-time-truth.tsv")
    return said


def in_time(
    old_pages: pd.DataFrame, old_links: pd.DataFrame, new_pages: pd.DataFrame, new_links: pd.DataFrame
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame, str]:
    """The old recording with the pages that a later one adds as its frontier.

    A page is new where the later recording has crawled it and the old one has not; it is on the frontier where a page
    that both have crawled links to it in the later one. Its impact is the number of new pages that link to it: links
    that no method sees.

    Parameters
    ----------
    old_pages, new_pages
        ``id``, ``url``, ``status``.
    old_links, new_links
        ``source``, ``target``.

    Returns
    -------
    pages, links, truth, said
        Tables to load (``inlinks`` of crawled pages counted in the old recording), impact of the frontier by URL, and
        the counts in words.
    """
    old_links, new_links = (some[some["source"] != some["target"]] for some in (old_links, new_links))
    known, later = (set(some.loc[some["status"] == "crawled", "id"]) for some in (old_pages, new_pages))
    added = later - known
    to_new = new_links[new_links["target"].isin(added)]
    seen = to_new[to_new["source"].isin(known & later)]
    unseen = to_new[to_new["source"].isin(added)]
    frontier = new_pages[new_pages["id"].isin(set(seen["target"]))][["id", "url"]].assign(status="frontier")
    growth = unseen.groupby("target").size()
    truth = pd.DataFrame(
        {"url": frontier["url"], "inlinks": frontier["id"].map(growth).fillna(0).astype("int64")}
    ).reset_index(drop=True)
    inlinks = old_links.groupby("target").size()
    pages = old_pages[~old_pages["id"].isin(set(frontier["id"]))][["id", "url", "status"]]
    pages = pages.assign(inlinks=pages["id"].map(inlinks).fillna(0).astype("Int64"))
    pages.loc[pages["status"] != "crawled", "inlinks"] = pd.NA
    pages = pd.concat([pages, frontier], ignore_index=True)
    links = pd.concat([old_links[["source", "target"]], seen[["source", "target"]]], ignore_index=True)
    in_old = int((old_pages.loc[old_pages["status"] == "frontier", "id"].isin(added)).sum())
    said = (
        f"{len(added):,} pages are new, {len(frontier):,} of them linked from a page crawled in both; the frontier of "
        f"the old recording itself holds {in_old:,} of the new pages"
    )
    return pages, links.drop_duplicates(), truth, said


def by_date(data: Path, work: Path) -> str:
    """The newer third of the dated pages as the frontier of the older ones."""
    pages, links = (pd.read_csv(data / f"{kind}.tsv.gz", sep="\t", quoting=3) for kind in ("pages", "links"))
    older, seen, truth, said = split_by_date(pages, links)
    for table, kind in ((older, "pages"), (seen, "links"), (truth, "truth")):
        _write(table, work / f"{data.name}-time-{kind}.tsv")
    return said


NEWER = 0.35
"""Share of the dated pages that are the frontier, as many as are hidden elsewhere."""


def split_by_date(pages: pd.DataFrame, links: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame, str]:
    """Pages as they stood before the newest ones.

    A page is new where its date is among the newest; it is on the frontier where an older page links to it. What newer
    pages link to is not known, nor their views. Pages without a date are old.

    Parameters
    ----------
    pages
        ``url``, ``status``, ``views``, ``created``.
    links
        ``source``, ``target``.

    Returns
    -------
    pages, links, truth, said
        Tables to load, views of the frontier by URL, and the counts in words.
    """
    created = pd.to_datetime(pages["created"], utc=True, format="ISO8601")
    crawled = pages["status"] == "crawled"
    dated = crawled & created.notna() & pages["views"].notna()
    cut = created[dated].quantile(1 - NEWER)
    new = set(pages.loc[dated & (created > cut), "url"])
    old = set(pages.loc[crawled, "url"]) - new
    links = links[links["source"] != links["target"]]
    seen = links.loc[links["source"].isin(old), ["source", "target"]].drop_duplicates()
    met = new & set(seen["target"])
    kept = pages[~pages["url"].isin(new - met)][["url", "status", "views"]].copy()
    kept["views"] = kept["views"].astype("Int64")
    kept.loc[kept["url"].isin(met), ["status", "views"]] = ["frontier", pd.NA]
    truth = pages.loc[pages["url"].isin(met), ["url", "views"]].astype({"views": "int64"}).reset_index(drop=True)
    said = f"{len(new):,} pages are newer than {cut:%Y-%m-%d}, {len(met):,} of them linked from an older page"
    return kept, seen, truth, said


def _write(table: pd.DataFrame, path: Path) -> None:
    half = path.with_suffix(".half")
    table.to_csv(half, sep="\t", index=False, quoting=3)
    half.replace(path)


PREPARE: dict[str, Callable[[Path, Path], str]] = {
    "wikispeedia": wikispeedia,
    "polblogs": polblogs,
    "indie-map-2017": indie_map,
    "musae-wikipedia": musae,
    "asf-web-2snapshots": asf,
    "javadoc-2versions": javadoc,
    **dict.fromkeys(
        ("ted-talks", "se-cs-2014", "urho3d-forum", "youtube-2007-02-22", "youtube-2007-02-28", "youtube-2008-03-27"),
        by_date,
    ),
}
"""By folder of the recorded graphs: from it and WORK, makes the tables and says what they hold."""
