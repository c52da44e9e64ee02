"""Who steals a disk and has the transcript, which holds all locked hands for ever, opens no hand that is past.

Past is a hand whose key no card in play is under: one that was set aside may lie among the discards for rounds.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest
from nacl.exceptions import CryptoError
from nacl.secret import Aead

from p2p_sheriff.node.log import GameLog
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.vault import SLOT_BYTES
from p2p_sheriff.rules import Handle, Seat, Setup
from p2p_sheriff.session.labels import labels_of
from p2p_sheriff.session.resume import Kept
from p2p_sheriff.session.spectator import Spectator
from protocol.charter import Charter
from protocol.cipher import Lock
from protocol.codec import Value, decode, encode
from protocol.deck import Card
from protocol.group import SCALAR_BYTES, decode_scalar
from tests.drbg import Drbg
from tests.node.mortal import GROUP, MortalDisk, MortalNet, everything_under
from tests.table.games import SHORT_DECK

SETUP = Setup(3, short=SHORT_DECK)
MORTAL = Seat(1)
Hand: TypeAlias = frozenset[Handle]


class Copying(MortalDisk):
    """A disk that keeps a copy of everything that was ever written to a file of keys."""

    def __init__(self) -> None:
        super().__init__()
        self.copies: list[bytes] = []

    def write(self, file: int, data: bytes, place: int) -> None:
        super().write(file, data, place)
        if self._names[file] == ".keys":
            self.copies.append(data)


class Victim(MortalNet):
    """A table at which one player's disk will be stolen."""

    def __init__(self, base: Path) -> None:
        self.copying, self.base = Copying(), base
        super().__init__(base, 5, MORTAL, lambda _: None, setup=SETUP, disk=self.copying)

    def stolen(self) -> list[bytes]:
        """Returns all files of the player in which a key may be: a log has boxes, and what is public."""
        return [data for path, data in everything_under(self.base).items() if path.suffix != ".log"]

    def log(self) -> list[Value]:
        return self.keeper.log.read()

    def entries(self) -> tuple[Charter, list[bytes]]:
        table = self.keeper.session.table
        return table.charter, [signed.to_bytes() for signed in table.transcript.in_order()]


# -- the attack


def scalars_in(records: Iterable[Value], files: Iterable[bytes]) -> set[int]:
    """Returns all keys of locks in a log: in the clear, or sealed under any 32 bytes that are somewhere."""
    found = set()
    for record in records:
        for secrets in _opened(Kept.from_value(record).secrets, files):
            match secrets:
                case (bytes(joined), *_):
                    found |= {decode_scalar(joined[i : i + SCALAR_BYTES]) for i in range(0, len(joined), SCALAR_BYTES)}
                case _:
                    raise AssertionError("these are no secrets")
    return found


def _opened(secrets: Value, files: Iterable[bytes]) -> Iterator[Value]:
    match secrets:
        case (int(epoch), bytes(box)):
            for key in {data[i : i + 32] for data in files for i in range(len(data) - 31)} - {bytes(32)}:
                try:
                    yield decode(Aead(key).decrypt(box, encode(("epoch", epoch))))
                except CryptoError:
                    continue
        case None:
            pass
        case _:
            yield secrets


def hands(charter: Charter, entries: Iterable[bytes]) -> dict[Hand, list[Card]]:
    """Returns all hands of the victim in the transcript, and the cards of each."""
    watching, found = Spectator(charter, GROUP, Drbg("thief")), dict[Hand, list[Card]]()
    for entry in entries:
        watching.receive(entry)
        play = watching.play
        hand = play.state[MORTAL].hand
        cards = [play.cards[handle] for handle in hand if play.cards[handle].is_held_by(MORTAL)]
        if cards:
            found[frozenset(hand)] = cards
    return found


def hands_opened(charter: Charter, entries: Iterable[bytes], keys: Iterable[int]) -> set[Hand]:
    """Returns all hands of the victim in the transcript that these keys open."""
    locks = {lock.public: lock for lock in (Lock(GROUP, k) for k in keys)}
    opened, labels = set(), labels_of(GROUP, SETUP)
    for hand, cards in hands(charter, entries).items():
        if all(card.locks[0][1] in locks for card in cards):
            for card in cards:
                labels.kind_of(*locks[card.locks[0][1]].open(GROUP, [card.point]))
            opened.add(hand)
    return opened


# -- and what it gets


def test_from_the_log_of_a_running_game_no_key_is_had_that_the_player_has_dropped(tmp_path: Path) -> None:
    net = Victim(tmp_path)
    net.run(until=lambda play: play.state.round == 4 and play.state.phase.value == "declare")
    files = [data for data in net.stolen() if len(data) == 2 * SLOT_BYTES]
    assert len(files) == 1, "there is one file of keys"
    keys = scalars_in(net.log()[1:], files)
    assert keys == set(net.keeper.session.secrets.keys.secrets())
    opened, ever = hands_opened(*net.entries(), keys), hands(*net.entries())
    session = net.keeper.session
    plays = [session.play, *(play for _, play in session._replaced)]
    live = {card.key_of(MORTAL) for play in plays for card in play.cards.values()}
    assert len(plays) < 20, "what all have seen is let go of"
    assert opened == {hand for hand, cards in ever.items() if all(card.key_of(MORTAL) in live for card in cards)}
    assert opened < set(ever)
    # If no key of an epoch had been overwritten, the same attack would open them all.
    assert hands_opened(*net.entries(), scalars_in(net.log()[1:], net.copying.copies)) == set(ever)


@pytest.mark.parametrize("ending", ["finished", "given up"])
def test_after_a_game_no_hand_is_opened_from_any_log_that_there_ever_was(tmp_path: Path, ending: str) -> None:
    net = Victim(tmp_path)
    net.run(until=lambda play: play.state.round == 2 and play.state.phase.value == "declare")
    (charter, entries), log = net.entries(), net.log()
    if ending == "finished":
        net.finish()
    else:
        net.keeper.close()
        net._profile.close()
        with Profile.open("mortal", tmp_path) as profile:
            profile.give_up(charter.game)
            assert profile.unfinished_games() == ()
    files = net.stolen()
    assert not any(len(data) == 2 * SLOT_BYTES for data in files)
    assert scalars_in(log[1:], files) == set()
    path = tmp_path / "mortal" / "games" / f"{charter.game.hex()}.log"
    reopened = GameLog(path)
    assert scalars_in(reopened.read()[1:], files) == set()
    reopened.close()
    assert hands_opened(charter, entries, ()) == set()
