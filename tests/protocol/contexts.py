"""Contexts of proofs in tests, and every way of moving a proof elsewhere."""

from dataclasses import replace

from protocol.proofs.context import Context

HERE = Context(
    game=bytes(range(32)),
    roster=bytes(range(32, 64)),
    deck="goods",
    generation=1,
    seat=2,
    step=3,
    sequence=4,
    previous=bytes(range(64, 96)),
    operation="test",
    index=0,
    handles=(7, 8, 9),
)

ELSEWHERE = {
    "another game": replace(HERE, game=bytes(32)),
    "other players": replace(HERE, roster=bytes(32)),
    "another deck": replace(HERE, deck="laws"),
    "another generation": replace(HERE, generation=2),
    "another seat": replace(HERE, seat=1),
    "another step": replace(HERE, step=4),
    "another sequence number": replace(HERE, sequence=5),
    "another previous entry": replace(HERE, previous=bytes(32)),
    "another operation": replace(HERE, operation="show"),
    "another proof of the entry": replace(HERE, index=1),
    "other handles": replace(HERE, handles=(7, 8, 10)),
}
