"""What the rules refuse, and what the lobby and the node say, in the player's language.

They speak English. Their sentences are entries of the English catalogue: the entry that a sentence fits gives the key,
and the fields, for every other language.
"""

import re
from functools import cache

from p2p_sheriff.texts.catalogue import ENGLISH, Texts

_GROUPS = ("refusals.", "news.")


def refusal_sentence(refusal: Exception, texts: Texts = ENGLISH) -> str:
    """Returns what a refusal says to the player.

    What only a broken or hostile program can be told stays in English: no person's move leads to it.
    """
    return translated(str(getattr(refusal, "sentence", refusal)), texts)


def translated(sentence: str, texts: Texts = ENGLISH) -> str:
    """Returns a sentence of the rules, the lobby or the node in this language; one that has no entry as it is."""
    for key, pattern in _patterns():
        if found := pattern.fullmatch(sentence):
            return texts(key, **{field: _field(field, value, texts) for field, value in found.groupdict().items()})
    return sentence


def _field(field: str, value: str, texts: Texts) -> str | int:
    match field:
        case "n":
            return int(value)
        case "good":
            return texts.name(value)
        case "goods":
            return ", ".join(texts.name(kind) for kind in value.split(", "))
        case "wanted" | "now":
            return texts(f"phases.{value.replace(' ', '_')}")
        case "reason":
            return translated(value, texts)
        case _:
            return value


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (key, _pattern(sentence))
        for key, sentence in ENGLISH.entries.items()
        if key.startswith(_GROUPS) and isinstance(sentence, str)
    )


def _pattern(sentence: str) -> re.Pattern[str]:
    literals, fields = re.split(r"\{\w+\}", sentence), re.findall(r"\{(\w+)\}", sentence)
    pattern = re.escape(literals[0])
    for place, (field, literal) in enumerate(zip(fields, literals[1:], strict=True)):
        value = "[0-9]+" if field == "n" else ".+?"
        pattern += f"(?P={field})" if field in fields[:place] else f"(?P<{field}>{value})"
        pattern += re.escape(literal)
    return re.compile(pattern)
