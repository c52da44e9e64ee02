"""A table that is being gathered, in lines of text: what is typed there, understood, and what is told of it. Pure."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from p2p_sheriff.fronts.lines.understanding import Look, NotUnderstood
from p2p_sheriff.gathering.tables import MAX_PURSE, Member, TableInfo
from p2p_sheriff.rules import first_sheriff_candidates
from p2p_sheriff.seat.conditions import conditions
from p2p_sheriff.seat.hall import Hall
from p2p_sheriff.seat.intents import (
    AddBot,
    Arrange,
    BeReady,
    LeaveTable,
    MuteMember,
    SayAtTable,
    SendAway,
    ShowPurse,
)
from p2p_sheriff.seat.picture import short
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts import ENGLISH, Texts
from p2p_sheriff.texts.vocabulary import Vocabulary, fold
from protocol.identity import PublicIdentity

_LOOKS: Final = frozenset({"start", "who", "options", "help"})
Wish: TypeAlias = BeReady | ShowPurse | Arrange | SendAway | AddBot | SayAtTable | MuteMember | LeaveTable | Look


def understand(
    info: TableInfo, me: PublicIdentity, line: str, styles: Sequence[str] = (), texts: Texts = ENGLISH
) -> Wish:
    """Returns what a line means at a table; ``styles`` are those of the bots that can be had.

    Raises:
        NotUnderstood: Nothing; the sentence helps.
    """
    word, _, rest = " ".join(unicodedata.normalize("NFC", line).split()).partition(" ")
    reader = _Reader(info, me, styles, texts)
    verb = reader.vocabulary.verb(word)
    if verb not in _COMMANDS and verb not in _LOOKS:
        raise NotUnderstood(texts("gather.means_nothing", hint=texts("gather.hint")))
    if verb in _OPENERS and me != info.opener:
        raise NotUnderstood(texts("gather.opener_only", name=_name(info, info.opener)))
    if rest and verb in _ALONE:
        raise NotUnderstood(texts("gather.nothing_more", word=word))
    return Look(verb) if verb in _LOOKS else _COMMANDS[verb](reader, rest)


class _Reader:
    """Reads the parts of a command at one table."""

    def __init__(self, info: TableInfo, me: PublicIdentity, styles: Sequence[str], texts: Texts) -> None:
        self.vocabulary = Vocabulary(texts, "gatherverbs")
        self._info, self._me, self._styles, self._texts = info, me, styles, texts

    def unready(self, rest: str) -> Wish:
        if self.vocabulary.verb(rest) != "ready":
            raise NotUnderstood(self._texts("gather.not_what"))
        return BeReady(ready=False)

    def purse(self, rest: str) -> Wish:
        if self.vocabulary.means("nothing", rest):
            return ShowPurse(None)
        coins = re.fullmatch(r"([0-9]{1,12})(?: (.*))?", rest)
        if coins is None or int(coins[1]) > MAX_PURSE or not self._are_coins(coins[2]):
            raise NotUnderstood(self._texts("gather.coins", most=MAX_PURSE))
        return ShowPurse(int(coins[1]))

    def _are_coins(self, word: str | None) -> bool:
        return word is None or self.vocabulary.means("coins", word)

    def seats(self, rest: str) -> Wish:
        words = [word.strip() for word in rest.split("," if "," in rest else " ")]
        order = tuple(self.member(word).identity for word in words if word)
        if len(set(order)) < len(order) or len(order) < len(self._info.members):
            names = ", ".join(member.name for member in self._info.members)
            raise NotUnderstood(self._texts("gather.everybody_once", names=names))
        return Arrange(order)

    def kick(self, rest: str) -> Wish:
        who = self.member(rest).identity
        if who == self._me:
            raise NotUnderstood(self._texts("gather.not_yourself"))
        return SendAway(who)

    def bot(self, rest: str) -> Wish:
        if not self._info.free_seats:
            raise NotUnderstood(self._texts("gather.no_seat"))
        if not rest:
            return AddBot(None)
        fits = [style for style in self._styles if style.startswith(rest.lower())]
        if len(fits) != 1:
            raise NotUnderstood(self._texts("gather.no_style", word=rest, styles=", ".join(self._styles)))
        return AddBot(fits[0])

    def member(self, word: str) -> Member:
        members = self._info.members
        if word.isascii() and word.isdigit() and 1 <= int(word) <= len(members):
            return members[int(word) - 1]
        wanted = fold(word)
        fits = [member for member in members if " ".join(fold(member.name).split()) == wanted]
        fits = fits or [member for member in members if fold(member.name).startswith(wanted)]
        if not word or len(fits) != 1:
            seats = ", ".join(f"{seat} {member.name}" for seat, member in enumerate(members, start=1))
            if word:
                raise NotUnderstood(self._texts("gather.who", word=word, seats=seats))
            raise NotUnderstood(self._texts("gather.who_is_meant", seats=seats))
        return fits[0]


_COMMANDS: Final[dict[str, Callable[[_Reader, str], Wish]]] = {
    "ready": lambda _reader, _rest: BeReady(ready=True),
    "not": _Reader.unready,
    "purse": _Reader.purse,
    "seats": _Reader.seats,
    "kick": _Reader.kick,
    "bot": _Reader.bot,
    "say": lambda _reader, rest: SayAtTable(rest),
    "mute": lambda reader, rest: MuteMember(reader.member(rest).identity, is_muted=True),
    "unmute": lambda reader, rest: MuteMember(reader.member(rest).identity, is_muted=False),
    "leave": lambda _reader, _rest: LeaveTable(),
}

_OPENERS: Final = frozenset({"seats", "kick", "bot", "start"})
_ALONE: Final = frozenset({"ready", "start", "leave"})
"""The commands after which nothing is said."""


# -- what is told


def help_for(info: TableInfo, me: PublicIdentity, texts: Texts = ENGLISH) -> list[str]:
    """Returns what this player can type."""
    lines = [
        texts("gather.help_ready"),
        texts("gather.help_purse"),
        texts("gather.help_look"),
        texts("gather.help_say"),
    ]
    if me != info.opener:
        return lines
    more = texts("gather.help_seats"), texts("gather.help_kick"), texts("gather.help_bot"), texts("gather.help_start")
    return [*lines, *more]


def about(what: str, info: TableInfo, hall: Hall, texts: Texts = ENGLISH) -> list[str]:
    """Returns the answer to a look."""
    match what:
        case "who":
            names = [short(person.name) for person in hall.people]
            network = texts("gather.network", n=len(names), names=", ".join(names))
            return [network if names else texts("gather.network_empty"), *seats(info, hall, texts)]
        case "options":
            return [texts("gather.named", title=info.title), *conditions(info.setup, texts)]
        case "start":
            return missing(info, hall, texts)
        case _:
            return help_for(info, hall.me.identity, texts)


def seats(info: TableInfo, hall: Hall, texts: Texts = ENGLISH) -> list[str]:
    """Returns who sits where, what they say they carry, and whether they are ready."""
    me, lines = hall.me.identity, []
    for seat, member in enumerate(info.members, start=1):
        own = member.identity == me
        notes = [texts("gather.you")] if own else []
        notes += [texts("gather.opened")] if member.identity == info.opener else []
        style = hall.style_of(member)
        notes += [texts("table.bot", style=Words(texts).style(style))] if style is not None else []
        notes += [texts("gather.away")] if not own and member.identity not in hall.here else []
        things = [
            f"{member.name} ({', '.join(notes)})" if notes else member.name,
            *([texts("gather.purse_of", n=member.purse)] if member.purse is not None else []),
            texts("gather.is_ready") if member.ready else texts("gather.is_unready"),
        ]
        lines.append(texts("gather.seat", seat=seat, things=", ".join(things)))
    if info.free_seats:
        lines.append(texts("gather.free", n=info.free_seats))
    if hall.coming:
        lines.append(texts("gather.coming", n=hall.coming))
    if hall.expected:
        lines.append(texts("rematch.awaited", names=", ".join(short(one.name) for one in hall.expected)))
    return [*lines, _first_sheriff(info, texts)]


def missing(info: TableInfo, hall: Hall, texts: Texts = ENGLISH) -> list[str]:
    """Returns why the game can't start yet; nothing if it can."""
    me = hall.me.identity
    unready = [member for member in info.members if not member.ready]
    away = [member.name for member in info.members if member.identity not in hall.here]
    names = [texts("gather.you") if member.identity == me else member.name for member in unready]
    lines = [texts("gather.free", n=info.free_seats)] if info.free_seats else []
    lines += [texts("gather.not_ready", names=", ".join(names))] if names else []
    return lines + ([texts("gather.not_connected", names=", ".join(away))] if away else [])


def _first_sheriff(info: TableInfo, texts: Texts) -> str:
    purses = [member.purse for member in info.members]
    if info.setup.with_deputies:
        return texts("gather.deputies_by_lot")
    if all(purse is None for purse in purses):
        return texts("gather.sheriff_by_lot")
    richest = [info.members[seat].name for seat in first_sheriff_candidates(purses)]
    if len(richest) == 1:
        return texts("gather.sheriff_by_purse", name=richest[0])
    return texts("gather.sheriff_among", names=", ".join(richest))


def _name(info: TableInfo, identity: PublicIdentity) -> str:
    """Returns what a member is called; who opened a table always is one."""
    return next(member.name for member in info.members if member.identity == identity)
