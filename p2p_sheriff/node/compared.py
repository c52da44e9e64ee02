"""Words that people compare aloud, to be sure that nobody is in between.

Six words are 48 bits. That is enough against an attacker who has one try, and far too little against one who can try
values at leisure: what the words are made of must hold nonces that were committed to before they were shown.
"""

from typing import Final

from p2p_sheriff.node.wordlist import WORDS
from protocol.codec import Value
from protocol.hashing import digest

COUNT: Final = 6


def words(topic: str, *fields: Value) -> tuple[str, ...]:
    """Returns six words for these fields: the same for everyone who has the same fields, and for nobody else.

    Args:
        topic: What is compared, so that the words of one thing are never those of another.
        fields: What both must have alike, with a committed-then-revealed nonce of each in it.
    """
    return tuple(WORDS[byte] for byte in digest("words", topic, fields)[:COUNT])


def game_words(game: bytes) -> tuple[str, ...]:
    """Returns the words of a game: its id is the hash of a charter that holds such a nonce of each seat."""
    return words("game", game)
