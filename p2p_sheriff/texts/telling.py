"""What the rules, the lobby and the node say, in the player's language."""

from p2p_sheriff.phrase import Field, Phrase, Told
from p2p_sheriff.texts.catalogue import ENGLISH, Texts
from p2p_sheriff.texts.cleaning import clean


def refusal_sentence(error: Exception, texts: Texts = ENGLISH) -> str:
    """Returns what an error says to the player; one that already holds a sentence says that."""
    return translated(error.phrase, texts) if isinstance(error, Told) else str(error)


def translated(phrase: Phrase, texts: Texts = ENGLISH) -> str:
    """Returns a phrase as a sentence in this language."""
    return texts(phrase.key, **{name: _told(name, value, texts) for name, value in phrase.fields.items()})


def _told(name: str, value: Field, texts: Texts) -> str | int:
    match name, value:
        case _, int():
            return value
        case _, Phrase():
            return translated(value, texts)
        case _, tuple():
            return ", ".join(map(texts.name, value))
        case "good", str():
            return clean(texts.name(value))
        case "wanted" | "now", str():
            return texts(f"phases.{value}")
        case _:
            return clean(value)
