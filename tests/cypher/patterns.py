"""Random patterns over the schema."""

from __future__ import annotations

from tests.cypher.scope import PROPERTIES, STEPS, VALUES, Scope, quoted

_STARTS = ("Page", "Page", "Page", "Page", "Host", "Query", "Run")


def pattern(scope: Scope, hops: int, start: str | None = None) -> str:
    """A chain of `hops` links; what it names is added to the scope.

    Parameters
    ----------
    scope
        What is in hand.
    hops
        How many links.
    start
        A node in scope to begin at; a new one otherwise.
    """
    rng = scope.rng
    if start is None:
        label = rng.choice(_STARTS)
        text, name = _node(scope, label, named=hops == 0 or scope.chance(0.85), linked=hops > 0)
    else:
        label, name, text = scope.kinds[start], start, f"({start})"
    for _ in range(hops):
        steps = STEPS[label]
        link, way, following, _ = rng.choices(steps, [step[3] for step in steps])[0]
        far = scope.chance(0.06) and link in ("LINKS_TO", "CO_CITED")
        middle, variable = _link(scope, link, way, far=far)
        known = [other for other in scope.of(following) if other != name]
        if known and scope.chance(0.12):
            other = rng.choice(known)
            node = f"({other})"
        else:
            node, other = _node(scope, following, named=scope.chance(0.75))
        if variable and name and other:
            scope.ends[variable] = (name, other)
        text += middle + node
        label, name = following, other
    return text


def _node(scope: Scope, label: str, *, named: bool, linked: bool = True) -> tuple[str, str]:
    name = scope.name(label[0].lower()) if named else ""
    bare = linked and scope.chance(0.04)  # its links say what it is
    text = f"({name})" if bare else f"({name}:{quoted(label)}{_map(scope, label, 0.13)})"
    if named:
        scope.kinds[name] = label
    return text, name


def _link(scope: Scope, link: str, way: str, *, far: bool) -> tuple[str, str]:
    """The text of a link and its name; far ones have several hops and no name."""
    name = ""
    kinds = quoted(link)
    if far:
        kinds += scope.rng.choice(("*1..2", "*1..2", "*2..2", "*1..3"))
        inside = f":{kinds}"
    else:
        if PROPERTIES[link] and scope.chance(0.4):
            name = scope.name("r")
        if link == "LINKS_TO" and not name and scope.chance(0.03):
            kinds += "|CO_CITED"
        inside = f"{name}:{kinds}{_map(scope, link, 0.15)}"
        if name:
            scope.kinds[name] = link
    left, right = ("<" if way == "<" else ""), (">" if way == ">" else "")
    return f"{left}-[{inside}]-{right}", name


def _map(scope: Scope, kind: str, share: float) -> str:
    names = [name for name in PROPERTIES[kind] if name not in ("url", "title")]
    if not names or not scope.chance(share):
        return ""
    name = scope.rng.choice(names)
    return f" {{{name}: {scope.literal(scope.rng.choice(VALUES[name]))}}}"
