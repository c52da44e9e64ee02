"""The page on the architecture is true, a name means one thing, and what a law can change is asked of the law."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator

from tests.architecture import PAGE, layers, modules, page

# Fronts never import each other: what is called alike in two of them is never seen side by side.
FRONT = re.compile(r"p2p_sheriff\.fronts\.\w+")

ALIKE = {
    "Act": "what the sheriff does with a bag in a deal (rule 7.4); what an entry does (docs/protocol.md)",
    "Answer": "the handshake's second message; what a dialogue of the lobby says to a key",
    "Card": "the library's is a locked point, the rules' a kind that lies open",
    "Claim": "the library's is about a point, the rules' about a handle",
    "Dialogue": "at the table and in the lobby: two models, one shape",
    "Finding": "what is wrong with a record; what is wrong with a machine",
    "Line": "of the score sheet; to be typed into",
    "Opening": "of a locked card; of a table",
    "Part": "of an offer; of a lesson",
    "Player": "the library's has a key and a name, the rules' has gold and a stall",
    "Rearranged": "the library's carries the proof of what the rules' states",
    "Shuffle": "the library's is a statement to prove, the rules' a demand",
    "Turn": "a place in the transcript; what a key makes of a model",
    "Verdict": "about a record; about a machine",
}
"""Classes with one name, and why that is no confusion."""

SAME_NAME = {
    "deals": "the rules of deals, and the dialogue about one",
    "deck": "the library's locked cards, and the rules of the draw deck",
    "replay": "a command, its screen, and the reading of a record",
    "table": "the library's machine, and the screen of a game",
}
"""Modules with one name, and why that is no confusion. A command may be called after the thing that it starts."""


def test_the_picture_of_the_layers_is_the_one_that_the_imports_draw() -> None:
    assert PAGE.read_text("utf-8") == page(), "run python -m tests.architecture"


def test_parts_that_import_each_other_are_drawn_as_one() -> None:
    graph = {"top": {"left", "right"}, "left": {"right"}, "right": {"left", "bottom"}, "bottom": set[str]()}
    one = frozenset
    assert layers(graph) == [[one({"bottom"})], [one({"left", "right"})], [one({"top"})]]


def test_a_class_name_means_one_thing() -> None:
    places = defaultdict(list)
    for module, name in _classes():
        places[name].append(FRONT.match(module))
    confusing = {name for name, fronts in places.items() if len(fronts) > 1 and not _in_different_fronts(fronts)}
    assert confusing == ALIKE.keys()


def _in_different_fronts(fronts: list[re.Match[str] | None]) -> bool:
    return None not in fronts and len({front[0] for front in fronts if front}) == len(fronts)


def _classes() -> Iterator[tuple[str, str]]:
    """Yields modules with the public classes, and names of types, that they define."""
    for package in ("protocol", "p2p_sheriff"):
        for module, file in modules(package).items():
            for node in ast.parse(file.read_text("utf-8")).body:
                match node:
                    case ast.ClassDef(name) if not name.startswith("_"):
                        yield module, name
                    case ast.Assign([ast.Name(name)]) | ast.AnnAssign(ast.Name(name)) if re.match("[A-Z][a-z]", name):
                        yield module, name


def test_a_module_name_means_one_thing() -> None:
    places = defaultdict(list)
    for package in ("protocol", "p2p_sheriff"):
        for module, file in modules(package).items():
            if file.stem != "__init__" and not module.startswith("p2p_sheriff.commands."):
                places[file.stem].append(module)
    assert {name for name, found in places.items() if len(found) > 1} == SAME_NAME.keys()


PAST_THE_LAW = re.compile(r"\.hand_size\b|setup\.(legal|contraband)\b|\]\.(fine|value)\b|good\.(fine|value)\b")
PRINTED = {
    "p2p_sheriff.rules.law": "it is the law",
    "p2p_sheriff.rules.setup": "it makes the tables",
    "p2p_sheriff.fronts.tui.rulebook": "the rules of the table as printed, before any law",
    "p2p_sheriff.seat.conditions": "the terms of a table before its game",
}


def test_what_a_law_can_change_is_asked_of_the_law() -> None:
    readers = {name for name, file in modules("p2p_sheriff").items() if PAST_THE_LAW.search(file.read_text("utf-8"))}
    assert readers == PRINTED.keys()
