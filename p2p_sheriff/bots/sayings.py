"""The ready phrases of the chat, and what each kind of bot answers to them."""

from enum import Enum


class Saying(Enum):
    """A ready phrase; its value is its key in the texts."""

    TRUST_ME = "1"
    ONLY_APPLES = "2"
    DONT_BELIEVE = "3"
    MAKE_AN_OFFER = "4"
    NOT_ENOUGH = "5"
    LOOK_THERE = "6"
    WELL_PLAYED = "7"
    HA = "8"
    ONE_MOMENT = "9"


REPLIES: dict[str, dict[Saying, tuple[Saying, ...]]] = {
    "honest": {
        Saying.TRUST_ME: (Saying.TRUST_ME, Saying.ONLY_APPLES),
        Saying.ONLY_APPLES: (Saying.TRUST_ME,),
        Saying.DONT_BELIEVE: (Saying.ONLY_APPLES, Saying.TRUST_ME),
        Saying.MAKE_AN_OFFER: (Saying.ONLY_APPLES, Saying.ONE_MOMENT),
        Saying.NOT_ENOUGH: (Saying.TRUST_ME,),
        Saying.WELL_PLAYED: (Saying.WELL_PLAYED,),
        Saying.HA: (Saying.WELL_PLAYED,),
    },
    "smuggler": {
        Saying.TRUST_ME: (Saying.HA, Saying.DONT_BELIEVE),
        Saying.ONLY_APPLES: (Saying.HA, Saying.ONLY_APPLES),
        Saying.DONT_BELIEVE: (Saying.ONLY_APPLES, Saying.LOOK_THERE),
        Saying.MAKE_AN_OFFER: (Saying.ONE_MOMENT, Saying.TRUST_ME),
        Saying.NOT_ENOUGH: (Saying.ONE_MOMENT, Saying.LOOK_THERE),
        Saying.LOOK_THERE: (Saying.HA, Saying.ONLY_APPLES),
        Saying.WELL_PLAYED: (Saying.HA,),
    },
    "gambler": {
        Saying.TRUST_ME: (Saying.HA, Saying.DONT_BELIEVE, Saying.MAKE_AN_OFFER),
        Saying.ONLY_APPLES: (Saying.HA,),
        Saying.DONT_BELIEVE: (Saying.HA, Saying.TRUST_ME),
        Saying.MAKE_AN_OFFER: (Saying.HA, Saying.LOOK_THERE),
        Saying.NOT_ENOUGH: (Saying.HA,),
        Saying.LOOK_THERE: (Saying.LOOK_THERE, Saying.HA),
        Saying.WELL_PLAYED: (Saying.HA, Saying.WELL_PLAYED),
        Saying.HA: (Saying.HA,),
    },
    "shrewd": {
        Saying.TRUST_ME: (Saying.DONT_BELIEVE, Saying.MAKE_AN_OFFER),
        Saying.ONLY_APPLES: (Saying.DONT_BELIEVE, Saying.MAKE_AN_OFFER),
        Saying.DONT_BELIEVE: (Saying.LOOK_THERE, Saying.TRUST_ME),
        Saying.MAKE_AN_OFFER: (Saying.ONE_MOMENT,),
        Saying.NOT_ENOUGH: (Saying.ONE_MOMENT, Saying.LOOK_THERE),
        Saying.LOOK_THERE: (Saying.DONT_BELIEVE,),
        Saying.WELL_PLAYED: (Saying.WELL_PLAYED,),
    },
}
"""What each style may answer; to everything else it says nothing."""
