import pytest

from protocol.codec import Value
from protocol.commitment import commit, verify_opening
from protocol.errors import InvalidOpeningError, LocalError

SALT = bytes(range(32))
HERE: tuple[Value, ...] = ("bag", bytes(32), 3, 1)


def test_a_commitment_opens_to_what_was_committed() -> None:
    verify_opening(commit(HERE, (4, 7, 9), SALT), HERE, (4, 7, 9), SALT)


@pytest.mark.parametrize(
    ("context", "content", "salt"),
    [
        pytest.param(HERE, (4, 7, 8), SALT, id="something else"),
        pytest.param(HERE, (4, 7), SALT, id="fewer"),
        pytest.param(HERE, (4, 7, 9), bytes(32), id="another salt"),
        pytest.param(HERE, (4, 7, 9), SALT[:-1], id="a short salt"),
        pytest.param(("bag", bytes(32), 4, 1), (4, 7, 9), SALT, id="another round"),
        pytest.param(("bag", bytes(32), 3, 2), (4, 7, 9), SALT, id="another seat"),
        pytest.param(("bag", bytes(31) + b"1", 3, 1), (4, 7, 9), SALT, id="another game"),
        pytest.param(("coin", bytes(32), 3, 1), (4, 7, 9), SALT, id="another purpose"),
    ],
)
def test_a_commitment_opened_to_something_else_or_taken_from_elsewhere_is_refused(
    context: tuple[Value, ...], content: Value, salt: bytes
) -> None:
    with pytest.raises(InvalidOpeningError):
        verify_opening(commit(HERE, (4, 7, 9), SALT), context, content, salt)


def test_an_opening_that_has_no_encoding_is_refused() -> None:
    nested: Value = ()
    for _ in range(20):
        nested = (nested,)
    with pytest.raises(InvalidOpeningError):
        verify_opening(bytes(32), HERE, nested, SALT)


def test_equal_contents_under_fresh_salts_look_different() -> None:
    assert len({commit(HERE, (1,), bytes([i]) * 32) for i in range(50)}) == 50


def test_a_short_salt_is_the_callers_mistake() -> None:
    with pytest.raises(LocalError):
        commit(HERE, (1,), bytes(31))
