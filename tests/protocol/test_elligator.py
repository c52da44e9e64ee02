import pytest

from protocol.elligator import P, expand_message, map_to_curve
from protocol.errors import LocalError
from protocol.group import IDENTITY
from tests.protocol import edwards

# RFC 9380, appendix K.3, expand_message_xmd with SHA-512, 32 bytes.
RFC_9380_EXPAND = {
    "": "6b9a7312411d92f921c6f68ca0b6380730a1a4d982c507211a90964c394179ba",
    "abc": "0da749f12fbe5483eb066a5f595055679b976e93abe9be6f0f6318bce7aca8dc",
}


@pytest.mark.parametrize(("message", "expected"), RFC_9380_EXPAND.items())
def test_messages_expand_to_the_bytes_of_rfc_9380(message: str, expected: str) -> None:
    domain = b"QUUX-V01-CS02-with-expander-SHA512-256"
    assert expand_message(message.encode(), domain, 32).hex() == expected


def test_a_domain_or_an_output_that_is_too_long_is_the_callers_mistake() -> None:
    with pytest.raises(LocalError):
        expand_message(b"", bytes(256), 32)
    with pytest.raises(LocalError):
        expand_message(b"", b"", 256 * 64)


@pytest.mark.parametrize("u", [0, 1, 2, 3, P - 1, P - 2, 2**254])
def test_every_field_element_maps_to_a_point_of_the_curve_and_so_does_its_negative(u: int) -> None:
    assert edwards.decode(map_to_curve(u)) == edwards.decode(map_to_curve(-u % P))


def test_the_exceptional_case_of_the_map_is_the_identity() -> None:
    # u = 0 gives x = -J and then abscissa 0, whose ordinate is 0.
    assert map_to_curve(0) == IDENTITY
