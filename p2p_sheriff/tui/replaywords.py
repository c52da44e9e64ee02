"""The words of the replay of a game."""

from collections.abc import Mapping

from p2p_sheriff.tui.words import ENGLISH, Words

REPLAY: Mapping[str, str | Mapping[str, str]] = {
    "replay.place": "step {step} of {steps}",
    "replay.speed": "speed {speed}",
    "replay.own": "as {name} saw it",
    "replay.public": "what all saw",
    "replay.begin": "The game begins.",
    "replay.first": "This is the beginning.",
    "replay.last": "This is the end.",
    "replay.no_bag": "No further bag was opened.",
    "replay.no_round": "There is no further round.",
    "replay.unfinished": "Everything holds so far, but the game did not come to its end.",
    "replay.valid": "Every signature, proof and rule was checked: all of it holds.",
    "replay.key.step": "step",
    "replay.key.round": "round",
    "replay.key.bag": "bag",
    "replay.key.play": "play",
    "replay.key.pause": "pause",
    "replay.key.speed": "speed",
}


def replay_words(words: Words) -> Words:
    """Returns the same language with the words of the replay."""
    return Words(words.texts, {**ENGLISH, **REPLAY})
