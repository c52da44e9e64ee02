"""What the tutorial teaches, in order: what the player is to do, and which keys do it."""

from dataclasses import dataclass

from p2p_sheriff.fronts.tui.screen import Wish
from p2p_sheriff.rules import Kind, LoadBag, Seat, View
from p2p_sheriff.rules.moves import Act, Declare, Inspect, NameFirst, Offer, Pass, SetAside, Things, Verb

YOU, MARIAN, TUCK = Seat(0), Seat(1), Seat(2)


@dataclass(frozen=True, slots=True)
class Lesson:
    """One step of the tutorial."""

    key: str
    """Of its words."""
    presses: tuple[str, ...] = ("enter",)
    """What to press: the words say the same."""
    wish: Wish | None = None
    """What is to be done; None: only to be read."""
    cards: tuple[Kind, ...] = ()
    """Which cards are to be chosen, where some are."""
    says: tuple[tuple[Seat, str], ...] = ()
    """Who says something as it begins: keys of the words."""

    def is_met(self, intent: Wish, view: View) -> bool:
        """Whether this is what the coach has asked for; an offer may be higher."""
        match intent, self.wish:
            case (LoadBag(_, handles), LoadBag()) | (SetAside(_, handles), SetAside()):
                kinds = (view.knowledge.kinds[handle] for handle in view.me.hand if handle in handles)
                return sorted(kinds) == sorted(self.cards)
            case Offer() as made, Offer() as wanted:
                return made.is_bribe and made.acts == wanted.acts and made.gift.things.gold >= wanted.gift.things.gold
            case NameFirst(), NameFirst():
                return True
            case _:
                return intent == self.wish


LESSONS = (
    Lesson("welcome"),
    Lesson("market", ("4", "5", "enter"), SetAside(YOU, ()), ("cheese", "chicken")),
    Lesson("load", ("1", "2", "3", "4", "enter"), LoadBag(YOU, ()), ("apples",) * 4),
    Lesson("declare", wish=Declare(YOU, 4, "apples")),
    Lesson("suspense"),
    Lesson("honest"),
    Lesson("contraband", wish=SetAside(YOU, ())),
    Lesson("bluff", ("3", "4", "6", "enter"), LoadBag(YOU, ()), ("chicken", "chicken", "silk")),
    Lesson("lie", wish=Declare(YOU, 3, "chicken")),
    Lesson("bribe", ("o", "enter"), Offer.bribe(YOU, 0, YOU, (TUCK,), (Act(YOU, Verb.PASS),), Things(gold=5))),
    Lesson("passed"),
    Lesson("badge", wish=NameFirst(YOU, MARIAN)),
    Lesson(
        "desk",
        ("down", "i", "enter"),
        Inspect(YOU, TUCK),
        says=((TUCK, "tutorial.tuck_says"), (MARIAN, "tutorial.marian_says")),
    ),
    Lesson("mercy", ("p", "enter"), Pass(YOU, MARIAN)),
    Lesson("end"),
)
