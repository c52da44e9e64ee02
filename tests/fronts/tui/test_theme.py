"""Colours come from what the terminal says; without them, something else still tells things apart."""

import pytest
from prompt_toolkit.styles import Style

from p2p_sheriff.fronts.tui.theme import LOOKS, Depth, depth_of, needs_ascii, styles


@pytest.mark.parametrize(
    ("environment", "depth"),
    [
        ({"NO_COLOR": "1", "COLORTERM": "truecolor", "TERM": "xterm-256color"}, Depth.NONE),
        ({"COLORTERM": "truecolor", "TERM": "xterm"}, Depth.TRUE),
        ({"COLORTERM": "24bit"}, Depth.TRUE),
        ({"TERM": "xterm-256color"}, Depth.PALETTE),
        ({"TERM": "xterm"}, Depth.SIXTEEN),
        ({"TERM": "linux", "NO_COLOR": ""}, Depth.SIXTEEN),
        ({"TERM": "vt100"}, Depth.NONE),
        ({}, Depth.NONE),
    ],
)
def test_the_environment_says_how_many_colours_there_are(environment: dict[str, str], depth: Depth) -> None:
    assert depth_of(environment) is depth


@pytest.mark.parametrize(
    ("environment", "ascii_only"),
    [
        ({"LANG": "C"}, True),
        ({}, True),
        ({"LANG": "pl_PL.UTF-8"}, False),
        ({"LANG": "pl_PL.UTF-8", "LC_ALL": "C"}, True),
        ({"LANG": "C.utf8"}, False),
    ],
)
def test_a_locale_without_unicode_gets_ascii(environment: dict[str, str], ascii_only: bool) -> None:
    assert needs_ascii(environment) is ascii_only


@pytest.mark.parametrize("depth", Depth)
def test_prompt_toolkit_understands_every_style(depth: Depth) -> None:
    Style([("x", style) for style in styles(depth).values()])


def test_without_colours_no_style_names_one() -> None:
    assert not any("#" in style or "ansi" in style for style in styles(Depth.NONE).values())


def test_without_colours_what_is_chosen_and_what_is_asked_still_stand_out() -> None:
    plain = styles(Depth.NONE)
    assert all(plain[name] for name in ("selected", "cursor", "key", "prompt", "prompt.refused", "king", "queen"))


def test_all_colours_are_of_the_256_colour_palette() -> None:
    cube = {0x00, 0x5F, 0x87, 0xAF, 0xD7, 0xFF}
    for look in LOOKS.values():
        for word in look.colours.split():
            red, green, blue = bytes.fromhex(word.rpartition("#")[2])
            assert {red, green, blue} <= cube or (red == green == blue and (red - 8) % 10 == 0), word


def test_colours_are_never_reversed_back() -> None:
    for depth in (Depth.SIXTEEN, Depth.PALETTE, Depth.TRUE):
        assert not any("reverse" in style for style in styles(depth).values())
