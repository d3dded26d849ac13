"""Link farms: groups of hosts that link to each other, both ways, and to much the same hosts.

Two hosts are alike where they link to each other and share their neighbours: |N(a) ∩ N(b)| / √(|N(a)|·|N(b)|), where N
are the hosts linked both ways and the host itself (the structural similarity of Xu et al. 2007). Chains of hosts that
are alike make a group. A popular host that links back to many has too many neighbours to be alike any of them.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from scipy import sparse

from seedrank.engines.kernels.suspicious import shared_neighbours
from seedrank.graph import frozen
from seedrank.methods.suspicious.found import Found
from seedrank.methods.suspicious.host_links import Hosts

__all__ = ["ALIKE", "farms"]

ALIKE = 0.5
"""Likeness of two hosts from which on they belong together."""


def farms(hosts: Hosts, *, least: int, density: float, inside: float) -> list[Found]:
    """Groups of hosts with dense links both ways, those with the most pages first.

    Parameters
    ----------
    hosts
        The hosts.
    least
        Hosts of a group at least.
    density
        Share of its pairs of hosts that link both ways, at least.
    inside
        Share of the links to its hosts, from other hosts, that come from the group, at least.
    """
    count = len(hosts)
    group, ends = _groups(hosts)
    sizes = np.bincount(group, minlength=count)
    pairs = np.bincount(group[ends[0]][group[ends[0]] == group[ends[1]]], minlength=len(sizes)) // 2
    share = pairs / np.maximum(sizes * (sizes - 1) / 2, 1)
    own = group[hosts.source] == group[hosts.target]
    got, kept = (
        np.bincount(group[hosts.target][which], hosts.links[which], len(sizes)) for which in (slice(None), own)
    )
    wanted = np.flatnonzero((sizes >= least) & (share >= density) & (kept >= inside * got))
    domains = hosts.domains() if len(wanted) else np.empty(0, np.int64)
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.append(wanted, wanted + 1)).reshape(2, -1)
    found = []
    for one, first, last in zip(wanted, *starts, strict=True):
        ids = order[first:last]
        ids = ids[np.argsort(-hosts.pages[ids], kind="stable")]
        names = hosts.names.take(pa.array(ids)).to_pylist()
        different = len(np.unique(domains[ids]))
        why = (
            f"{len(ids)} hosts of {different} domain{'s' if different > 1 else ''}: {pairs[one]} of "
            f"{len(ids) * (len(ids) - 1) // 2} pairs link both ways; {100 * kept[one] / max(got[one], 1):.0f} % of the "
            f"{got[one]:,.0f} links to them come from the group"
        )
        found.append(Found("farm", names[0], int(hosts.pages[ids].sum()), why, names))
    return sorted(found, key=lambda one: -one.pages)


def _groups(hosts: Hosts) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """Group of each host, and the pairs that link both ways, in both directions."""
    count = max(len(hosts), 1)
    keys = hosts.source * count + hosts.target
    both = np.intersect1d(keys, hosts.target * count + hosts.source, assume_unique=True)
    source, target = both // count, both % count
    offsets = np.searchsorted(source, np.arange(count + 1))
    shared = shared_neighbours(frozen(offsets.astype(np.int64)), frozen(target))
    size = np.diff(offsets) + 1
    # The two hosts themselves are in both neighbourhoods.
    like = (shared + 2) / np.sqrt(size[source] * size[target])
    close = like >= ALIKE
    links = sparse.coo_array((np.ones(close.sum()), (source[close], target[close])), (count, count))
    _, group = sparse.csgraph.connected_components(links, directed=False)
    return group[: len(hosts)].astype(np.int64), (source, target)
