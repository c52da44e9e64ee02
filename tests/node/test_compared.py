from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from p2p_sheriff.node.compared import game_words, words
from p2p_sheriff.node.wordlist import WORDS


def test_there_is_one_word_for_each_value_of_a_byte() -> None:
    assert len(set(WORDS)) == len(WORDS) == 256
    assert all(word.isascii() and word.isalpha() and word.islower() and 3 <= len(word) <= 6 for word in WORDS)


def test_no_two_words_begin_alike_or_differ_in_one_letter() -> None:
    assert len({word[:3] for word in WORDS}) == 256
    for one, other in combinations(WORDS, 2):
        if len(one) == len(other):
            assert sum(a != b for a, b in zip(one, other, strict=True)) >= 2, (one, other)


@given(st.binary(min_size=32, max_size=32))
def test_a_game_has_six_words_and_always_the_same(game: bytes) -> None:
    assert len(game_words(game)) == 6
    assert set(game_words(game)) <= set(WORDS)
    assert game_words(game) == game_words(game)


@given(st.binary(max_size=32), st.integers(0, 255))
def test_another_game_has_other_words(game: bytes, more: int) -> None:
    assert game_words(game) != game_words(game + bytes([more]))


def test_what_is_compared_and_how_the_fields_are_cut_make_a_difference() -> None:
    assert words("game", b"ab", b"c") != words("pair", b"ab", b"c")
    assert words("game", b"ab", b"c") != words("game", b"a", b"bc")


def test_the_words_of_a_known_game_never_change() -> None:
    # People with different versions of the program must read the same words; a changed list or hash shows up here.
    assert " ".join(game_words(bytes(32))) == "violin ladder zigzag castle star hazel"


def test_every_word_comes_up_about_equally_often() -> None:
    seen = Counter(word for number in range(4096) for word in game_words(number.to_bytes(32)))
    assert set(seen) == set(WORDS)
    assert max(seen.values()) < 2 * 4096 * 6 / 256
