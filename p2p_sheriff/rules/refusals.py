"""The ways in which the engine says no. None changes the state."""

from p2p_sheriff.phrase import Field, Phrase, Told
from p2p_sheriff.rules.cards import Seat


class Refusal(Told):
    """An input that the engine does not take."""


class NotAMove(Refusal):
    """Not in the vocabulary: malformed, an id that means nothing, a number out of every range."""


class NotDemanded(NotAMove):
    """A fact that nothing at the table has asked for, or not in this form: no person's move leads to it."""

    def __init__(self, detail: str) -> None:
        super().__init__("refusals.not_demanded", detail=detail)


class NotAllowed(Refusal):
    """A well-formed move that the rules don't allow now.

    Attributes:
        rule: the number of the rule in docs/rules.md.
        seat: whose move it was.
        cheating: whether the move itself proves that its author broke the rules knowingly.
    """

    def __init__(
        self, rule: str, what: str | Phrase, seat: Seat, /, *, cheating: bool = False, **fields: Field
    ) -> None:
        super().__init__(what, **fields)
        self.rule = rule
        self.seat = seat
        self.cheating = cheating

    def __str__(self) -> str:
        return f"rule {self.rule}, seat {self.seat}: {self.phrase}"


class BadSetup(ValueError):  # noqa: N818 - says what is the case.
    """A table that can't be played at: the sentence says what to change."""


class GameNotOver(Exception):  # noqa: N818 - says what is the case.
    """The outcome was asked for before the last card was shown."""
