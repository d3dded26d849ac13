"""Invented names of hosts, and the words pages, anchors and searches are made of."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.engines.kernels.synthetic import uniforms

__all__ = ["TOPICS", "WORDS", "host_names"]

# No entry of FIRST begins with another, none of LAST ends with another, MIDDLE are of one length:
# so two different choices never spell the same name.
_FIRST = (
    "bramble willow thistle hazel alder ash birch clover heather juniper laurel maple nettle poplar rowan sorrel "
    "tansy yarrow bracken cedar elder fern gorse hawthorn iris larch moss oak pine quince rush sedge "
    "amber cobalt copper flint garnet indigo ivory jasper marble onyx opal pewter russet silver slate umber "
    "badger curlew dunnock egret finch grebe heron kestrel lapwing marten osprey plover raven swift teal wren"
)
_LAST = (
    "dale ford wick combe stead bury hurst leigh march mere moor mouth field gate grove haven heath "
    "hollow lock mead mill pool scar shaw thorpe vale well wharf wold worth yard barrow beck bourne bridge brook "
    "cliff corner crest croft cross dell den down edge end fell fold glen"
)
FIRST, LAST = tuple(_FIRST.split()), tuple(_LAST.split())
MIDDLE = tuple(a + b for a in "bdfgklmnprstvwz" for b in "aeiou")
_SISTERS = ("blog", "shop", "forum", "docs", "news", "wiki")
_NOTHING = pa.scalar("", pa.large_string())
_STRIDE = 1_000_000_007  # prime: multiplying by it shuffles the names

_PLATFORM_SHARE = 0.12  # hosts that are subdomains of a platform, so that domains differ from hosts
_SISTER_SHARE = 0.08  # hosts that share the domain of another host
_HOSTS_PER_PLATFORM = 40
_TEST_SHARE = 0.15  # domains under .test; the rest is under .example

_BY_TOPIC = (
    "garden seed soil rose compost orchard pruning lawn hedge harvest",
    "bread oven flour yeast recipe cake soup kitchen pastry salad",
    "guitar piano concert lyrics album choir violin melody drum studio",
    "bicycle saddle gear wheel touring helmet brake pedal frame tyre",
    "planet telescope comet orbit eclipse galaxy lunar rocket satellite star",
    "football league goal stadium coach match referee penalty striker cup",
    "python compiler kernel database network server script library module syntax",
    "camera lens portrait shutter tripod exposure print gallery flash film",
    "hiking trail summit tent rucksack compass valley glacier hut map",
    "novel poem author chapter bookmark essay drama translation publisher diary",
    "train railway station timetable locomotive signal platform tunnel ticket tram",
    "puppy kennel kitten vet parrot aquarium hamster leash rabbit breed",
    "yoga sleep vitamin fever clinic allergy posture dentist nurse vaccine",
    "mortgage budget pension tax loan savings insurance invoice wage market",
    "chess puzzle dice tournament opening endgame bishop knight rook card",
    "knitting wool sewing pattern quilt needle thread fabric button loom",
    "weather storm rainfall forecast drought humidity barometer frost thunder wind",
    "castle museum archive treaty empire viking manuscript coin ruin dynasty",
    "school lesson exam homework teacher pupil grammar algebra campus degree",
    "sailing harbour anchor yacht tide lighthouse rope keel regatta island",
    "solar battery turbine insulation boiler heating voltage meter panel grid",
    "bridge concrete timber roof plaster brick carpenter scaffold window staircase",
    "coffee espresso roast grinder tea barista filter crema brew bean",
    "election council mayor petition ballot senate law court senator minister",
)
WORDS = tuple(word for topic in _BY_TOPIC for word in topic.split())
"""All words; topic t has those from 10·t to 10·t + 9."""
TOPICS = len(_BY_TOPIC)


def host_names(seed: np.uint64, count: int) -> pa.Array:
    """Names of hosts 0 … count - 1 (large_string), all different, under .example and .test only."""
    kind = uniforms(seed, 101, count)
    platform = np.flatnonzero(kind < _PLATFORM_SHARE)
    sister = np.flatnonzero((kind >= _PLATFORM_SHARE) & (kind < _PLATFORM_SHARE + _SISTER_SHARE))
    owner = np.flatnonzero(kind >= _PLATFORM_SHARE + _SISTER_SHARE)
    sister, alone = sister[: len(owner)], sister[len(owner) :]  # tiny webs may have more sisters than owners
    owner = np.concatenate([owner, alone])

    # Platforms take the numbers behind those of the hosts, so no host owns a platform's domain.
    number = np.arange(count)
    platforms = 1 + count // _HOSTS_PER_PLATFORM
    space = count + platforms
    label = _spell(seed, number, space)
    test = uniforms(seed, 102, space) < _TEST_SHARE
    ending = pa.array([".example", ".test"], pa.large_string())
    domain_number = number.copy()
    prefix = np.where(uniforms(seed, 103, count) < 0.7, "www.", "").astype(object)
    if len(sister):
        order = owner[np.argsort(uniforms(seed, 104, count)[owner], kind="stable")]
        domain_number[sister] = order[: len(sister)]
        which = (uniforms(seed, 105, count)[sister] * len(_SISTERS)).astype(int)
        prefix[sister] = np.array([f"{word}." for word in _SISTERS], object)[which]
    if len(platform):
        which = (uniforms(seed, 105, count)[platform] ** 2 * platforms).astype(int)
        domain_number[platform] = count + which
        prefix[platform] = ""
    domain = _spell(seed, domain_number, space)
    on_platform = pa.array(np.isin(number, platform))
    own_label = pc.if_else(on_platform, _join(label, pa.scalar(".", pa.large_string())), _NOTHING)
    return _join(
        pa.array(prefix, pa.large_string()),
        own_label,
        domain,
        ending.take(pa.array(test[domain_number].astype(np.int8))),
    )


def _spell(seed: np.uint64, number: np.ndarray, count: int) -> pa.Array:
    """A label per number, different for different numbers below `count`."""
    space, middles = len(FIRST) * len(LAST), 0
    while space < 2 * count:
        space, middles = space * len(MIDDLE), middles + 1
    rest = (number.astype(np.int64) * _STRIDE + int(seed % np.uint64(space))) % space
    parts = [pa.array(FIRST, pa.large_string()).take(pa.array(rest % len(FIRST)))]
    rest //= len(FIRST)
    last = pa.array(LAST, pa.large_string()).take(pa.array(rest % len(LAST)))
    rest //= len(LAST)
    for _ in range(middles):
        parts.append(pa.array(MIDDLE, pa.large_string()).take(pa.array(rest % len(MIDDLE))))
        rest //= len(MIDDLE)
    return _join(*parts, last)


def _join(*parts: pa.Array | pa.Scalar) -> pa.Array:
    return pc.binary_join_element_wise(*parts, _NOTHING)
