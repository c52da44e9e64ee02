"""The two ways in which the engine says no. Neither changes the state."""

from p2p_sheriff.rules.cards import Seat


class Refusal(Exception):  # noqa: N818 - a refusal is an answer of the rules, not an error of the program.
    """An input that the engine does not take."""


class NotAMove(Refusal):
    """Not in the vocabulary: malformed, an id that means nothing, a number out of every range."""


class NotDemanded(NotAMove):
    """A fact that nothing at the table has asked for, or not in this form."""


class NotAllowed(Refusal):
    """A well-formed move that the rules don't allow now.

    Attributes:
        rule: the number of the rule in docs/rules.md.
        sentence: what a player reads.
        seat: whose move it was.
        cheating: whether the move itself proves that its author broke the rules knowingly.
    """

    def __init__(self, rule: str, sentence: str, seat: Seat, *, cheating: bool = False) -> None:
        super().__init__(f"rule {rule}, seat {seat}: {sentence}")
        self.rule = rule
        self.sentence = sentence
        self.seat = seat
        self.cheating = cheating


class BadSetup(ValueError):  # noqa: N818 - says what is the case.
    """A table that can't be played at: the sentence says what to change."""


class GameNotOver(Exception):  # noqa: N818 - says what is the case.
    """The outcome was asked for before the last card was shown."""
