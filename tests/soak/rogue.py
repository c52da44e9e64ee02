"""A bot that cheats once, in a process of its own: ``python -m tests.soak.rogue DEED MOMENT bot ...``."""

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Final
from unittest.mock import patch

from p2p_sheriff.cli import main
from p2p_sheriff.node import store
from p2p_sheriff.rules import Refusal
from p2p_sheriff.rules.moves import Declare
from p2p_sheriff.session.acts import FREE, Act, Payload, Rearranges, Says
from p2p_sheriff.session.session import Session
from protocol.charter import Charter
from protocol.entry import Head, SignedEntry
from protocol.faults import FaultCode
from protocol.group import SCALAR_BYTES, Group
from protocol.identity import Identity
from protocol.randomness import Rng
from tests.table.cheats import Cheat, Lie, honest, lies, moves_instead, never


def _floods(cheat: Cheat) -> bytes:
    """Says all that a seat may say before it does something, and one thing more."""
    with suppress(Refusal):
        while True:
            cheat._speak(Says("and another thing"))
    return cheat.sign(FREE.write(Says("and another thing")))


def _breaks_the_chain(cheat: Cheat) -> bytes:
    heads = list(cheat.table.transcript.heads)
    heads[cheat.seat] = Head(heads[cheat.seat].length, bytes(32))
    return cheat.sign(FREE.write(Says("I never said that")), heads=heads)


def _equivocates(cheat: Cheat) -> bytes:
    """Signs another version of the own last entry."""
    *_, last = cheat.table.transcript.chains[cheat.seat]
    return cheat.sign(FREE.write(Says("or not")), heads=last.entry.heads)


def _another_proof(_cheat: Cheat, act: Act) -> Act:
    assert isinstance(act, Rearranges)
    laid, proof = act.rearrangement, bytearray(act.rearrangement.change.proof)
    proof[-SCALAR_BYTES] ^= 1
    return Rearranges(replace(laid, change=replace(laid.change, proof=bytes(proof))))


@dataclass(frozen=True, slots=True)
class Deed:
    """A way to cheat: by an entry that no honest node would write, or by a lie in one that it would."""

    code: FaultCode
    besides: Callable[[Cheat], bytes] | None = None
    lie: Lie = honest


DEEDS: Final[Mapping[str, Deed]] = {
    "shouts": Deed(FaultCode.MALFORMED, lambda cheat: cheat.sign(("shout", "hello"))),
    "floods": Deed(FaultCode.OVER_BUDGET, _floods),
    "says too much": Deed(FaultCode.OVER_BUDGET, lambda cheat: cheat.sign(("say", "x" * 3000))),
    "breaks the chain": Deed(FaultCode.BROKEN_CHAIN, _breaks_the_chain),
    "equivocates": Deed(FaultCode.EQUIVOCATION, _equivocates),
    "takes a step too many": Deed(
        FaultCode.OUT_OF_TURN, lambda cheat: cheat.sign(("pass",), step=cheat.table.step + 1)
    ),
    "declares nothing": Deed(
        FaultCode.FORBIDDEN, lie=moves_instead(Declare, lambda cheat, _: Declare(cheat.seat, 0, "apples"))
    ),
    "proves what is false": Deed(FaultCode.FALSE_PROOF, lie=lies(Rearranges, _another_proof)),
}


class Rogue(Cheat):
    """Plays honestly, but for one deed, and does not listen to what it is told of it."""

    def __init__(self, charter: Charter, identity: Identity, group: Group, rng: Rng, deed: Deed, moment: int) -> None:
        """Takes from which own entry on the deed is to be done."""
        super().__init__(charter, identity, group, rng, self._lie_once, never)
        self._deed, self._moment = deed, moment

    @property
    def _is_time(self) -> bool:
        return not self.has_lied and len(self.table.transcript.chains[self.seat]) >= self._moment

    def _lie_once(self, cheat: Cheat, payload: Payload) -> Payload | None:
        return self._deed.lie(cheat, payload) if self._is_time else None

    def advance(self) -> bool:
        if self._deed.besides is not None and self._is_time:
            self.has_lied = True
            self.outbox.append(self._deed.besides(self))
            return True
        return super().advance()

    def _may_release(self) -> bool:
        return Session._may_release(self)

    def receive(self, data: bytes) -> None:
        if SignedEntry.from_bytes(self.table.charter, data).entry.author != self.seat:
            super().receive(data)


if __name__ == "__main__":
    name, moment, *arguments = sys.argv[1:]
    with patch.object(store, "Session", partial(Rogue, deed=DEEDS[name], moment=int(moment))):
        sys.exit(main(arguments))
