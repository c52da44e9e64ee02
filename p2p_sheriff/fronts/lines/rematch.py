"""After a game: the same people again, or good night."""

from contextlib import aclosing

from p2p_sheriff.fronts.lines.lineseat import Keyboard
from p2p_sheriff.fronts.lines.listening import Typed, listen
from p2p_sheriff.fronts.lines.lobbyseat import LobbySeat, TableClosed
from p2p_sheriff.fronts.lines.teller import printable, tell
from p2p_sheriff.gathering.gathering import LobbyError
from p2p_sheriff.node.events import PeerDown, TablesChanged
from p2p_sheriff.node.runner import Node
from p2p_sheriff.session.session import Session
from p2p_sheriff.texts import ENGLISH, Texts, refusal_sentence
from p2p_sheriff.texts.vocabulary import Vocabulary
from protocol.charter import Charter


async def play_again(node: Node, session: Session, keyboard: Keyboard, texts: Texts = ENGLISH) -> Session | None:
    """Asks for a rematch of a game that is over and kept; returns the new game when it begins, or None.

    Raises:
        UsageError: The node can't go on.
    """
    charter = session.table.charter
    while await _wants(node, charter, keyboard, texts):
        await node.put_down()
        try:
            await node.rematch(charter, None)
            return await LobbySeat(node, keyboard, texts=texts).gather()
        except (LobbyError, TableClosed) as reason:
            tell(refusal_sentence(reason, texts))
    return None


async def _wants(node: Node, charter: Charter, keyboard: Keyboard, texts: Texts) -> bool:
    question, vocabulary = texts("rematch.question"), Vocabulary(texts)
    tell(question)
    asked: set[bytes] = set()

    def tell_wishes() -> None:
        for info in node.tables.values():
            opener = info.member(info.opener)
            if info.again == charter.game and opener is not None and info.id not in asked:
                asked.add(info.id)
                tell(texts("rematch.wish", name=printable(opener.name)))

    tell_wishes()
    async with aclosing(listen(node, keyboard)) as heard:
        async for one in heard:
            match one:
                case Typed(None):
                    return False
                case Typed(str(line)) if line.strip():
                    verb = vocabulary.verb(line.strip())
                    if verb in ("rematch", "quit"):
                        return verb == "rematch"
                    tell(texts("rematch.over", question=question))
                case TablesChanged():
                    tell_wishes()
                case PeerDown(identity, name, _) if charter.seat_of(identity) is not None:
                    tell(texts("rematch.gone", name=printable(name)))
                case _:
                    pass
    return False
