"""What the rules refuse, in the player's language.

The rules are pure and speak English. Their sentences are entries of the English catalogue: the entry that a sentence
fits gives the key, and the fields, for every other language.
"""

import re
from functools import cache

from p2p_sheriff.rules import Refusal
from p2p_sheriff.texts.catalogue import ENGLISH, Texts

_GROUP = "refusals."


def refusal_sentence(refusal: Refusal, texts: Texts = ENGLISH) -> str:
    """Returns what a refusal says to the player.

    What only a broken or hostile program can be told stays in English: no person's move leads to it.
    """
    sentence = str(getattr(refusal, "sentence", refusal))
    for key, pattern in _patterns():
        if found := pattern.fullmatch(sentence):
            return texts(key, **{field: _translated(field, value, texts) for field, value in found.groupdict().items()})
    return sentence


def _translated(field: str, value: str, texts: Texts) -> str | int:
    match field:
        case "n":
            return int(value)
        case "good":
            return texts.name(value)
        case "goods":
            return ", ".join(texts.name(kind) for kind in value.split(", "))
        case "wanted" | "now":
            return texts(f"phases.{value.replace(' ', '_')}")
        case _:
            return value


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (key, _pattern(sentence))
        for key, sentence in ENGLISH.entries.items()
        if key.startswith(_GROUP) and isinstance(sentence, str)
    )


def _pattern(sentence: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", sentence)
    literals, fields = parts[::2], [*parts[1::2], ""]
    return re.compile(
        "".join(
            re.escape(literal) + (f"(?P<{field}>{'[0-9]+' if field == 'n' else '.+?'})" if field else "")
            for literal, field in zip(literals, fields, strict=True)
        )
    )
