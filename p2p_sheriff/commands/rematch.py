"""After a game: the same people again, or good night."""

from contextlib import aclosing

from p2p_sheriff.commands.lineseat import Keyboard
from p2p_sheriff.commands.listening import Typed, listen
from p2p_sheriff.commands.lobbyseat import LobbySeat, TableClosed
from p2p_sheriff.commands.teller import printable, tell
from p2p_sheriff.lobby import LobbyError
from p2p_sheriff.node.events import PeerDown, TablesChanged
from p2p_sheriff.node.runner import Node
from p2p_sheriff.session.session import Session
from protocol.charter import Charter

_QUESTION = "Type rematch to play again with the same people, or quit."


async def play_again(node: Node, session: Session, keyboard: Keyboard) -> Session | None:
    """Asks for a rematch of a game that is over and kept; returns the new game when it begins, or None.

    Raises:
        UsageError: The node can't go on.
    """
    charter = session.table.charter
    while await _wants(node, charter, keyboard):
        await node.put_down()
        try:
            await node.rematch(charter, None)
            return await LobbySeat(node, keyboard).gather()
        except (LobbyError, TableClosed) as reason:
            tell(str(reason))
    return None


async def _wants(node: Node, charter: Charter, keyboard: Keyboard) -> bool:
    tell(_QUESTION)
    asked: set[bytes] = set()

    def tell_wishes() -> None:
        for info in node.tables.values():
            opener = info.member(info.opener)
            if info.again == charter.game and opener is not None and info.id not in asked:
                asked.add(info.id)
                tell(f"{printable(opener.name)} would like a rematch.")

    tell_wishes()
    async with aclosing(listen(node, keyboard)) as heard:
        async for one in heard:
            match one:
                case Typed(None):
                    return False
                case Typed(str(line)) if line.strip():
                    word = line.strip().lower()
                    if word in ("rematch", "quit"):
                        return word == "rematch"
                    tell(f"The game is over. {_QUESTION}")
                case TablesChanged():
                    tell_wishes()
                case PeerDown(identity, name, _) if charter.seat_of(identity) is not None:
                    tell(f"{printable(name)} has gone.")
                case _:
                    pass
    return False
