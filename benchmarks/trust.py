"""Precision and recall of spam mass, distrust, trust and link farms on synthetic webs with planted spam farms.

    python -m benchmarks.trust                         five webs of 50,000 pages
    python -m benchmarks.trust --pages 200000 --webs 3

Judged are pages that were crawled, so labelled, and that the method was not told of; then hosts with crawled pages, on
the graph of hosts. A method is told some of the good pages or hosts (trusted), or 10 % of the spam (bad), drawn at
random. A host is spam where any page of it is. "Most" and "least" take as many as are spam: precision is recall.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import defaultdict
from pathlib import Path

import numpy as np

from seedrank.core.order import order
from seedrank.core.tables import as_markdown
from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import WebGraph
from seedrank.graph.levels import level_in_memory
from seedrank.ingest.synthetic import WebSpec, write_graph
from seedrank.methods.rank.trust import distrust, spam_mass, trust
from seedrank.methods.suspicious.detect import detect
from seedrank.questions.graph import StatsQuestion

MASS = 0.98
"""Relative mass from which on Gyöngyi et al. 2006 call a page spam."""
TRUSTED, BAD = (0.01, 0.1, 0.5), 0.1
"""Shares of the good pages, and of the spam, that methods are told."""


def judged(found: np.ndarray, spam: np.ndarray) -> tuple[float, float]:
    """Precision and recall of boolean arrays."""
    right = float((found & spam).sum())
    return right / max(found.sum(), 1), right / max(spam.sum(), 1)


def at_break_even(scores: np.ndarray, spam: np.ndarray) -> tuple[float, float]:
    """Of as many best pages as are spam: precision and recall are the same."""
    best = np.zeros(len(spam), bool)
    best[order(scores)[: spam.sum()]] = True
    return judged(best, spam)


def measure(what: str, graph: WebGraph, label: np.ndarray, rng: np.random.Generator) -> dict[str, tuple[float, float]]:
    """Precision and recall by what was asked; `label` is 1 for spam, 0 for good, NaN where nobody knows."""
    engine, labelled, truth = NativeEngine(graph), ~np.isnan(label), label > 0
    good, spam = np.flatnonzero(label == 0), np.flatnonzero(truth)
    share = len(good) / (len(good) + len(spam))
    results = {f"{what}: by chance": (float(truth[labelled].mean()),) * 2}
    for told in TRUSTED:
        trusted = drawn(good, told, graph.pages, rng)
        rest, mass = labelled & (trusted == 0), spam_mass(engine, trusted, good_share=share)
        which = f"{told:.0%} of the good {what} trusted"
        high = mass.scores >= MASS
        results[f"{which}: spam mass at least {MASS:.0%}"] = judged(high[rest], truth[rest])
        results[f"{which}: most spam mass"] = at_break_even(mass.scores[rest], truth[rest])
        results[f"{which}: least trust"] = at_break_even(-trust(engine, trusted).scores[rest], truth[rest])
    bad = drawn(spam, BAD, graph.pages, rng)
    others = labelled & (bad == 0)
    results[f"{BAD:.0%} of the spam {what} bad: most distrust"] = at_break_even(
        distrust(engine, bad).scores[others], truth[others]
    )
    return results


def drawn(ids: np.ndarray, share: float, pages: int, rng: np.random.Generator) -> np.ndarray:
    """A share of the pages, as a weight per page."""
    weights = np.zeros(pages)
    weights[rng.choice(ids, max(1, round(share * len(ids))), replace=False)] = 1
    return weights


def of_hosts(graph: WebGraph) -> np.ndarray:
    """Per host: 1 where any page is spam, 0 where some are labelled and none is, NaN elsewhere."""
    pages = np.asarray(graph.column("spam"))
    label = np.full(len(graph.host_names), np.nan)
    label[graph.host[~np.isnan(pages)]] = 0
    label[graph.host[pages > 0]] = 1
    return label


def listed_hosts(graph: WebGraph, label: np.ndarray) -> tuple[float, float]:
    """Precision and recall of the hosts of link farms."""
    found, _ = detect(graph, StatsQuestion(suspicious=True))
    hosts = [host for one in found if one.kind == "farm" for host in one.hosts]
    known = ~np.isnan(label)
    return judged(np.isin(graph.host_names.to_numpy(), hosts)[known], label[known] > 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=50_000)
    parser.add_argument("--webs", type=int, default=5)
    options = parser.parse_args()
    results: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for seed in range(1, options.webs + 1):
        with tempfile.TemporaryDirectory(prefix="seedrank-trust-") as folder:
            graph = write_graph(WebSpec(pages=options.pages, rng=seed), Path(folder) / "web")
            rng, label = np.random.default_rng(seed), of_hosts(graph)
            found = measure("pages", graph, np.asarray(graph.column("spam")), rng)
            found |= measure("hosts", level_in_memory(graph, "host").unweighted(), label, rng)
            found["hosts: in link farms of stats --suspicious"] = listed_hosts(graph, label)
            for name, one in found.items():
                results[name].append(one)
    print(f"{options.webs} webs of {options.pages:,} pages; mean (lowest to highest)\n")
    rows = []
    for name, pairs in results.items():
        cells = [f"{values.mean():.2f} ({values.min():.2f} to {values.max():.2f})" for values in np.array(pairs).T]
        rows.append((name, *cells))
    print("\n".join(as_markdown(("", "precision", "recall"), rows)))


if __name__ == "__main__":
    main()
