"""Draws the layers from the imports into docs/architecture.md: ``python -m tests.architecture``."""

import ast
from collections.abc import Iterator, Mapping
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- layers: drawn from the imports -->\n", "<!-- end of layers -->"

Part = frozenset[str]
"""Packages or modules of one house that import each other; a single one where the house is in order."""


def modules(package: str) -> dict[str, Path]:
    """Returns the files of a package by the names of their modules."""
    files = (file for file in (ROOT / package).rglob("*.py") if file.stem != "__main__")
    return {".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file for file in files}


def imported(file: Path) -> Iterator[str]:
    """Yields the full names that a file imports."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def imports(package: str) -> dict[str, set[str]]:
    """Returns which parts of a package import which others; a part is what stands directly in it."""
    graph: dict[str, set[str]] = {}
    for name, file in modules(package).items():
        if name.count("."):
            uses = graph.setdefault(_part(name), set())
            uses.update(_part(one) for one in imported(file) if one.startswith(f"{package}."))
    return {part: {one for one in uses if one in graph and one != part} for part, uses in graph.items()}


def _part(name: str) -> str:
    return name.split(".")[1]


def layers(graph: Mapping[str, set[str]]) -> list[list[Part]]:
    """Returns the parts in layers, the lowest first: each imports only from layers below."""
    reach = {part: _reached(graph, part) for part in graph}
    parts = {part: frozenset({part} | {one for one in reach[part] if part in reach[one]}) for part in graph}
    below = {own: {parts[one] for part in own for one in graph[part]} - {own} for own in parts.values()}
    sorter = TopologicalSorter(below)
    sorter.prepare()
    found = []
    while ready := sorter.get_ready():
        found.append(sorted(ready, key=sorted))
        sorter.done(*ready)
    return found


def _reached(graph: Mapping[str, set[str]], part: str) -> set[str]:
    reached: set[str] = set()
    ahead = [part]
    while ahead:
        ahead += (new := graph[ahead.pop()] - reached)
        reached |= new
    return reached


def drawn() -> str:
    """Returns the picture: what a part of the game imports stands beside it, always from below."""
    game = imports("p2p_sheriff")
    lines = ["p2p_sheriff"]
    for layer in reversed(layers(game)):
        for number, part in enumerate(layer):
            uses = sorted({one for name in part for one in game[name]} - part)
            name = " + ".join(sorted(part))
            lines.append(f"  {'-' if number == 0 else ' '} {name:<10}  {', '.join(uses)}".rstrip())
    lines.append("protocol")
    below = reversed(layers(imports("protocol")))
    lines += [f"  - {', '.join(' + '.join(sorted(part)) for part in layer)}" for layer in below]
    return "\n".join(["```", *lines, "```"]) + "\n"


def page() -> str:
    """Returns the page as it should be."""
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    return before + BEGIN + drawn() + END + rest.partition(END)[2]


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8", newline="\n")
