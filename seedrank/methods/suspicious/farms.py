"""Link farms: groups of hosts that link to each other, both ways, and to much the same hosts.

Two hosts are alike where they link to each other and share their neighbours: |N(a) ∩ N(b)| / √(|N(a)|·|N(b)|), where N
are the hosts linked both ways and the host itself (the structural similarity of Xu et al. 2007). Chains of hosts that
are alike make a group. A popular host that links back to many has too many neighbours to be alike any of them.

Nearly complete groups are told by that alone, so two rules ask less of the rest: links both ways where half of the
in-links are bought elsewhere, and links in one direction or the other, as in a tournament. What has few links between
its hosts (rings, stars, a hub with spokes) is not looked for: honest hosts are linked so too.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from scipy import sparse

from seedrank.engines.kernels.suspicious import shared_neighbours
from seedrank.graph import frozen
from seedrank.methods.suspicious.found import Found
from seedrank.methods.suspicious.host_links import Hosts

__all__ = ["ALIKE", "farms"]

ALIKE, ALIKE_EITHER_WAY = 0.5, 0.6
"""Likeness of two hosts from which on they belong together; a host that links to one of a group only has no 0.6."""
COMPLETE, COMPLETE_HOSTS = 0.9, 6
"""Density and number of hosts, at least, of groups that are told by their links to each other alone."""
BOUGHT = 0.6
"""Of the share of in-links asked for, what suffices of a complete group, which may have bought the rest."""


def farms(hosts: Hosts, *, least: int, density: float, inside: float) -> list[Found]:
    """Groups of hosts with dense links to each other, those with the most pages first.

    A group is listed where its links go both ways and the thresholds hold; or where it is nearly complete (`COMPLETE`),
    by links both ways with `BOUGHT` of the share `inside`, or by links in either direction.

    Parameters
    ----------
    least
        Hosts of a group at least.
    density
        Share of its pairs of hosts that link both ways, at least.
    inside
        Share of the links to its hosts, from other hosts, that come from the group, at least.
    """
    found = _farms(hosts, both_ways=True, rules=((least, density, inside), _complete(least, density, BOUGHT * inside)))
    known = {host for one in found for host in one.hosts}
    either = _farms(hosts, both_ways=False, rules=(_complete(least, density, inside),))
    found += [one for one in either if known.isdisjoint(one.hosts)]
    return sorted(found, key=lambda one: -one.pages)


def _complete(least: int, density: float, inside: float) -> tuple[int, float, float]:
    return max(least, COMPLETE_HOSTS), max(density, COMPLETE), inside


def _farms(hosts: Hosts, *, both_ways: bool, rules: Sequence[tuple[int, float, float]]) -> list[Found]:
    """Groups by links both ways, or in either direction, for which one of the rules (least, density, inside) holds."""
    count = len(hosts)
    group, ends = _groups(hosts, both_ways=both_ways)
    sizes = np.bincount(group, minlength=count)
    pairs = np.bincount(group[ends[0]][group[ends[0]] == group[ends[1]]], minlength=len(sizes)) // 2
    share = pairs / np.maximum(sizes * (sizes - 1) / 2, 1)
    own = group[hosts.source] == group[hosts.target]
    got, kept = (
        np.bincount(group[hosts.target][which], hosts.links[which], len(sizes)) for which in (slice(None), own)
    )
    holds = np.zeros(len(sizes), bool)
    for least, density, inside in rules:
        holds |= (sizes >= least) & (share >= density) & (kept >= inside * got)
    wanted = np.flatnonzero(holds)
    domains = hosts.domains() if len(wanted) else np.empty(0, np.int64)
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.append(wanted, wanted + 1)).reshape(2, -1)
    found, how = [], "link both ways" if both_ways else "are linked"
    for one, first, last in zip(wanted, *starts, strict=True):
        ids = order[first:last]
        ids = ids[np.argsort(-hosts.pages[ids], kind="stable")]
        names = hosts.names.take(pa.array(ids)).to_pylist()
        different = len(np.unique(domains[ids]))
        why = (
            f"{len(ids)} hosts of {different} domain{'s' if different > 1 else ''}: {pairs[one]} of "
            f"{len(ids) * (len(ids) - 1) // 2} pairs {how}; {100 * kept[one] / max(got[one], 1):.0f} % of the "
            f"{got[one]:,.0f} links to them come from the group"
        )
        found.append(Found("farm", names[0], int(hosts.pages[ids].sum()), why, names))
    return found


def _groups(hosts: Hosts, *, both_ways: bool) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """Group of each host, and the pairs that are linked both ways, or either way, in both directions."""
    count = max(len(hosts), 1)
    keys, turned = hosts.source * count + hosts.target, hosts.target * count + hosts.source
    both = np.intersect1d(keys, turned, assume_unique=True) if both_ways else np.union1d(keys, turned)
    source, target = both // count, both % count
    offsets = np.searchsorted(source, np.arange(count + 1))
    shared = shared_neighbours(frozen(offsets.astype(np.int64)), frozen(target))
    size = np.diff(offsets) + 1
    # The two hosts themselves are in both neighbourhoods.
    like = (shared + 2) / np.sqrt(size[source] * size[target])
    close = like >= (ALIKE if both_ways else ALIKE_EITHER_WAY)
    links = sparse.coo_array((np.ones(close.sum()), (source[close], target[close])), (count, count))
    _, group = sparse.csgraph.connected_components(links, directed=False)
    return group[: len(hosts)].astype(np.int64), (source, target)
