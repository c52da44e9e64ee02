"""Keys. What a pressed one may mean: itself, its small letter, and the Latin letter on the same key of the keyboard.

Who has just written to the others in Ukrainian should not have to switch the keyboard before pressing "i" to inspect:
the key is the same, only the letter that comes of it is another one.
"""

_CYRILLIC = "йцукенгшщзфівапролдячсмитьы"
_LATIN = "qwertyuiopasdfghjklzxcvbnms"
_SAME_KEY = dict(zip(_CYRILLIC, _LATIN, strict=True))


def readings(key: str) -> tuple[str, ...]:
    """Returns all that a key may mean, what it says first: where text is written, that is taken."""
    small = key.lower()
    return tuple(dict.fromkeys((key, small, _SAME_KEY.get(small, small))))


def digits(count: int) -> str:
    """Returns the name of the keys that choose one of so many things."""
    return "1" if count == 1 else f"1-{min(9, count)}"
