import ast
import doctest
import re
from pathlib import Path

import protocol

ROOT = Path(protocol.__file__).parent
README = ROOT / "README.md"


def test_the_example_of_the_readme_works_as_printed() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert tried > 30
    assert failed == 0


def test_the_readme_lists_every_module_once() -> None:
    listed = re.findall(r"^\| `([a-z.]+)` \|", README.read_text(), re.MULTILINE)
    files = [path.relative_to(ROOT).with_suffix("") for path in ROOT.rglob("*.py") if path.stem != "__init__"]
    assert sorted(listed) == sorted(".".join(path.parts) for path in files)


def test_a_whole_game_needs_hardly_more_than_what_the_package_offers() -> None:
    example = ast.parse((ROOT.parent / "examples" / "high_card.py").read_text())
    imports = [node for node in ast.walk(example) if isinstance(node, ast.ImportFrom)]
    names = {f"{node.module}.{alias.name}" for node in imports for alias in node.names}
    ours = {name for name in names if name.startswith("protocol.")}
    offered = {f"protocol.{name}" for name in protocol.__all__}
    assert ours - offered == {"protocol.proofs.shuffle.prepare"}
    assert offered - ours == {"protocol.Game"}
