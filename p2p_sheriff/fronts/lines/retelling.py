"""What everybody did in a round, in words: the summary when it ends, and the history of all players."""

from p2p_sheriff.rules import Seat
from p2p_sheriff.rules.moves import Verb
from p2p_sheriff.seat.chronicle import Doing, Round
from p2p_sheriff.seat.narration import kinds
from p2p_sheriff.seat.picture import Picture
from p2p_sheriff.texts import Texts


def summary(picture: Picture, ended: Round, texts: Texts) -> list[str]:
    """Returns a round that is over, a line for each player."""
    return [
        texts("rounds.over", round=ended.number),
        *(_line(picture, ended, seat, texts) for seat in _seats(picture)),
    ]


def history(picture: Picture, texts: Texts) -> list[str]:
    """Returns what each player did, round by round."""
    lines = []
    for seat in _seats(picture):
        lines.append(texts("rounds.history", name=picture.name(seat)))
        lines += [
            texts("rounds.of_round", round=one.number, doing=_doing(one, seat, texts))
            for one in picture.rounds
            if _doing(one, seat, texts)
        ]
    return lines or [texts("rounds.none")]


def _seats(picture: Picture) -> tuple[Seat, ...]:
    return picture.state.seats if picture.state is not None else ()


def _line(picture: Picture, ended: Round, seat: Seat, texts: Texts) -> str:
    doing = ended.players[seat]
    gold = texts("rounds.gold", n=doing.gold + doing.gain, gain=f"{doing.gain:+}")
    things = ", ".join(filter(None, [_doing(ended, seat, texts), gold]))
    return texts("table.stall", name=picture.name(seat), things=things)


def _doing(one: Round, seat: Seat, texts: Texts) -> str:
    doing = one.players[seat]
    parts = [texts("rounds.sheriff")] if seat in one.officers else []
    parts += [texts("rounds.aside", goods=kinds(doing.aside, texts))] if doing.aside else []
    if doing.declared is not None:
        count, kind = doing.declared
        parts.append(texts("rounds.declared", n=count, goods=texts.good(kind, count)))
        parts += [_fate(doing, texts)] if doing.fate is not None else []
    parts += [texts("rounds.paid", n=doing.bribes)] if doing.bribes else []
    parts += [texts("rounds.got", n=doing.received)] if doing.received else []
    parts += [texts("rounds.promised", words=words) for words in doing.promises]
    return ", ".join(parts)


def _fate(doing: Doing, texts: Texts) -> str:
    if doing.fate is Verb.PASS:
        return texts({True: "rounds.passed_true", False: "rounds.passed_false", None: "rounds.passed"}[doing.is_true])
    return texts("rounds.caught" if doing.is_caught else "rounds.inspected_true", n=abs(doing.fine))
