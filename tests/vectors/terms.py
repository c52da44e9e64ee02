"""The terms of tables, as they stand in charters."""

from p2p_sheriff.rules import Edition, Good, Seat, Setup, Side
from p2p_sheriff.session.terms import GAME, OPTIONS, setup_to_value
from protocol.codec import Value, encode
from tests.vectors.notation import BYTES, ERRORS, TYPED, Case, VectorFile, prose, typed

DESCRIPTION = prose(
    """
    The terms of a table (docs/protocol.md, Terms). A case's `call` says what to do. `write`: the table for `players`,
    of `edition`, with `options`, `extra` goods, the short deck `short` and the `candidates` for the first sheriff, has
    the terms `terms`, and they are encoded as `encoded`. `read`: the terms `terms` must be refused.
    """
)


def vectors() -> VectorFile:
    truffles = Good("truffles", Side.LEGAL, 3, 9, 4, ("apples", 2))
    tables = [
        ("three players, nothing else", Setup(3)),
        ("four, first edition", Setup(4, Edition.FIRST)),
        ("six, with all options", Setup(6, options=frozenset(OPTIONS))),
        ("five, with all options: the private stash stays out", Setup(5, options=frozenset(OPTIONS))),
        ("an extra good, and two candidates", Setup(4, extra=(truffles,), candidates=(Seat(1), Seat(3)))),
        ("a short deck", Setup(3, short=(("apples", 12), ("pepper", 6), ("silk", 2)))),
    ]
    invalid: list[Case] = [
        {"comment": comment, "call": "read", "terms": typed(value), "error": "MalformedError"}
        for comment, value in _refused()
    ]
    return VectorFile(
        " ".join((DESCRIPTION, TYPED, BYTES, ERRORS)), [_case(comment, setup) for comment, setup in tables], invalid
    )


def _case(comment: str, setup: Setup) -> Case:
    players, edition, options, extra, short, candidates = map(typed, setup.to_value())
    terms = setup_to_value(setup)
    return {
        "comment": comment,
        "call": "write",
        "players": players,
        "edition": edition,
        "options": options,
        "extra": extra,
        "short": short,
        "candidates": candidates,
        "terms": typed(terms),
        "encoded": encode(terms).hex(),
    }


def _refused() -> list[tuple[str, Value]]:
    plain = setup_to_value(Setup(3))
    assert isinstance(plain, tuple)
    pairs = plain[1]
    assert isinstance(pairs, tuple)

    def other(name: str, value: Value) -> Value:
        return (
            GAME,
            tuple((name, value) if pair[:1] == (name,) else pair for pair in pairs if isinstance(pair, tuple)),
        )

    return [
        ("another game", ("chess/1", pairs)),
        ("another version", ("sheriff/1", pairs)),
        ("seven players", other("players", 7)),
        ("four players with the goods of three", other("players", 4)),
        ("an edition that there is not", other("edition", "third")),
        ("an option that there is not", other("options", ("cheating",))),
        ("options that do not ascend", other("options", ("timer", "royal"))),
        ("an extra good with the name of another", other("extra", (("apples", "legal", 1, 1, 0, None),))),
        ("a short deck without enough cards", other("short", (("apples", 12), ("pepper", 5)))),
        ("a candidate that nobody is", other("candidates", (3,))),
        ("other grace times", other("grace", (60, 60))),
        ("no goods", other("goods", ())),
        ("the names in another order", (GAME, pairs[::-1])),
        ("a pair too few", (GAME, pairs[:-1])),
    ]
