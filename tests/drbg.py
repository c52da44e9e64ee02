"""A seeded source of bytes for tests: the same seed gives the same bytes on every machine."""

from hashlib import shake_256


class Drbg:
    """Deterministic random bytes. Never for a secret."""

    def __init__(self, seed: str) -> None:
        self._seed = seed.encode()
        self._block = 0

    def __call__(self, count: int) -> bytes:
        self._block += 1
        return shake_256(self._seed + b"/" + self._block.to_bytes(8)).digest(count)
