import doctest
from pathlib import Path

import protocol


def test_the_example_of_the_readme_works_as_printed() -> None:
    readme = Path(protocol.__file__).with_name("README.md")
    failed, tried = doctest.testfile(str(readme), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert tried > 30
    assert failed == 0
