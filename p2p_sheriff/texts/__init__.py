"""All words that people see, in their language: English, Polish, Ukrainian, Portuguese, Spanish."""

from p2p_sheriff.texts.catalogue import ENGLISH, LANGUAGES, Texts, UnknownLanguage
from p2p_sheriff.texts.choice import add_language_argument, chosen
from p2p_sheriff.texts.refusals import refusal_sentence

__all__ = ["ENGLISH", "LANGUAGES", "Texts", "UnknownLanguage", "add_language_argument", "chosen", "refusal_sentence"]
