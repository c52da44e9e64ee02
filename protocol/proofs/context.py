"""What a proof is bound to: a proof that is moved to another game, deck, seat, step or entry fails."""

from dataclasses import dataclass

from protocol.hashing import digest


@dataclass(frozen=True, slots=True)
class Context:
    """The place of one proof in one game. Version and group are bound by the hash, base points by the statement."""

    game: bytes
    """The id of the game."""
    roster: bytes
    """Digest of all seats' public identities, in seat order."""
    deck: str
    """The deck that the cards belong to."""
    generation: int
    """How often that deck was made anew."""
    seat: int
    """Who proves."""
    step: int
    """The number of the step of the game that the entry takes."""
    sequence: int
    """The entry's number in its author's chain."""
    previous: bytes
    """Hash of the author's previous entry."""
    operation: str
    """What is proved: a shuffle, a strip, a membership."""
    index: int
    """Which of the entry's proofs it is."""
    handles: tuple[int, ...] = ()
    """The cards that it is about."""

    def to_bytes(self) -> bytes:
        """Returns the digest that the proof's oracle starts from."""
        place = (self.game, self.roster, self.deck, self.generation, self.seat, self.step, self.sequence, self.previous)
        return digest("context", *place, self.operation, self.index, self.handles)
