"""All words that people see, in their language: English, Polish, Ukrainian, Portuguese, Spanish.

In English alone speak the commands for those who build or check: doctor, bench and simulate.
"""

from p2p_sheriff.texts.catalogue import ENGLISH, LANGUAGES, Texts, UnknownLanguage
from p2p_sheriff.texts.choice import chosen
from p2p_sheriff.texts.telling import refusal_sentence, translated

__all__ = [
    "ENGLISH",
    "LANGUAGES",
    "Texts",
    "UnknownLanguage",
    "chosen",
    "refusal_sentence",
    "translated",
]
