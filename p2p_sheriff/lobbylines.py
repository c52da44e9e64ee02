"""A table that is being gathered, in lines of text: what is typed there, understood; what changes, told. Pure."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from p2p_sheriff.linemode import NotUnderstood
from p2p_sheriff.rules import Setup, first_sheriff_candidates
from p2p_sheriff.tables import MAX_PURSE, Member, TableInfo
from protocol.identity import PublicIdentity

HINT: Final = "Type: ready, not ready, purse COINS, who, options, help, quit."

HELP: Final = (
    "ready; not ready: the game begins when all seats are taken and everybody is ready.",
    "purse 120: the cash that you say you carry: who carries the most is sheriff first. purse none: you don't say.",
    "who: the players on the network, and the seats. options: what is played. leave or quit: leave the table.",
)

OPENERS_HELP: Final = (
    "seats KIM, MARIAN, TUCK: who sits where, clockwise; names, their beginnings, or seats by number.",
    "kick NAME: send somebody away from the table.",
    "bot; bot STYLE: a bot of this machine takes a free seat.",
    "start: begin the game, or hear who is missing.",
)

_OPTIONS: Final = {
    "royal": "royal goods are shuffled in",
    "timer": "the inspection has a time limit",
    "missing": "ten cards stay in the box, unseen",
    "seven": "hands have seven cards",
    "black-market": "the black market buys three of a kind",
}


@dataclass(frozen=True, slots=True)
class BeReady:
    """Be ready, or not any more."""

    ready: bool


@dataclass(frozen=True, slots=True)
class ShowPurse:
    """Say how much cash the player carries; None: don't say."""

    coins: int | None


@dataclass(frozen=True, slots=True)
class Arrange:
    """Let the members sit in this order."""

    order: tuple[PublicIdentity, ...]


@dataclass(frozen=True, slots=True)
class Kick:
    """Send a member away."""

    who: PublicIdentity


@dataclass(frozen=True, slots=True)
class AddBot:
    """Let a bot take a free seat; of a style, or of any."""

    style: str | None


@dataclass(frozen=True, slots=True)
class Begin:
    """Start the game, or say why it can't start yet."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the table."""


@dataclass(frozen=True, slots=True)
class LookAt:
    """Tell about this: who, options, help."""

    what: str


Wish: TypeAlias = BeReady | ShowPurse | Arrange | Kick | AddBot | Begin | Leave | LookAt


def understand(info: TableInfo, me: PublicIdentity, line: str, styles: Sequence[str] = ()) -> Wish:
    """Returns what a line means at a table; ``styles`` are those of the bots that can be had.

    Raises:
        NotUnderstood: Nothing; the sentence helps.
    """
    verb, _, rest = " ".join(line.split()).partition(" ")
    verb = verb.lower()
    command = _COMMANDS.get(verb)
    if command is None:
        raise NotUnderstood(f"That means nothing here. {HINT}")
    if verb in _OPENERS and me != info.opener:
        raise NotUnderstood(f"Only {_name(info, info.opener)}, who opened the table, can do that.")
    return command(_Reader(info, me, styles), rest)


class _Reader:
    """Reads the parts of a command at one table."""

    def __init__(self, info: TableInfo, me: PublicIdentity, styles: Sequence[str]) -> None:
        self._info, self._me, self._styles = info, me, styles

    def ready(self, rest: str) -> Wish:
        return BeReady(ready=self._nothing("ready", rest))

    def unready(self, rest: str) -> Wish:
        if rest.lower() != "ready":
            raise NotUnderstood("Not what? Type: not ready.")
        return BeReady(ready=False)

    def purse(self, rest: str) -> Wish:
        if rest.lower() in ("none", "nothing"):
            return ShowPurse(None)
        coins = re.fullmatch(r"(\d{1,12})(?: (?:coins?|gold))?", rest, re.ASCII | re.IGNORECASE)
        if coins is None or int(coins[1]) > MAX_PURSE:
            raise NotUnderstood(
                f"Say how many coins you carry, in whole numbers up to {MAX_PURSE}: purse 120. Or: purse none."
            )
        return ShowPurse(int(coins[1]))

    def seats(self, rest: str) -> Wish:
        words = [word.strip() for word in rest.split("," if "," in rest else " ")]
        order = tuple(self._member(word).identity for word in words if word)
        if len(set(order)) < len(order) or len(order) < len(self._info.members):
            names = ", ".join(member.name for member in self._info.members)
            raise NotUnderstood(f"Name everybody at the table once, in the order of the seats: seats {names}.")
        return Arrange(order)

    def kick(self, rest: str) -> Wish:
        who = self._member(rest).identity
        if who == self._me:
            raise NotUnderstood("You can't send yourself away: leave closes the table.")
        return Kick(who)

    def bot(self, rest: str) -> Wish:
        if self._info.again:
            raise NotUnderstood("A rematch is for the players of the last game alone.")
        if not self._info.free_seats:
            raise NotUnderstood("No seat is free.")
        if not rest:
            return AddBot(None)
        fits = [style for style in self._styles if style.startswith(rest.lower())]
        if len(fits) != 1:
            raise NotUnderstood(f"There is no bot of the style {rest}. There are: {', '.join(self._styles)}.")
        return AddBot(fits[0])

    def start(self, rest: str) -> Wish:
        self._nothing("start", rest)
        return Begin()

    def leave(self, rest: str) -> Wish:
        self._nothing("leave", rest)
        return Leave()

    def who(self, _rest: str) -> Wish:
        return LookAt("who")

    def options(self, _rest: str) -> Wish:
        return LookAt("options")

    def help(self, _rest: str) -> Wish:
        return LookAt("help")

    def _nothing(self, verb: str, rest: str) -> bool:
        if rest:
            raise NotUnderstood(f"Type {verb} alone.")
        return True

    def _member(self, word: str) -> Member:
        members = self._info.members
        if word.isascii() and word.isdigit() and 1 <= int(word) <= len(members):
            return members[int(word) - 1]
        wanted = word.casefold()
        fits = [member for member in members if " ".join(member.name.casefold().split()) == wanted]
        fits = fits or [member for member in members if member.name.casefold().startswith(wanted)]
        if not word or len(fits) != 1:
            seats = ", ".join(f"{seat} {member.name}" for seat, member in enumerate(members, start=1))
            raise NotUnderstood(f"Who is {word or 'meant'}? Name them by name or seat. At the table: {seats}.")
        return fits[0]


_COMMANDS: Final[dict[str, Callable[[_Reader, str], Wish]]] = {
    "ready": _Reader.ready,
    "not": _Reader.unready,
    "purse": _Reader.purse,
    "seats": _Reader.seats,
    "kick": _Reader.kick,
    "bot": _Reader.bot,
    "start": _Reader.start,
    "leave": _Reader.leave,
    "quit": _Reader.leave,
    "who": _Reader.who,
    "options": _Reader.options,
    "help": _Reader.help,
}

_OPENERS: Final = frozenset({"seats", "kick", "bot", "start"})


# -- what is told


def help_for(info: TableInfo, me: PublicIdentity) -> list[str]:
    """Returns what this player can type."""
    return [*HELP, *(OPENERS_HELP if me == info.opener else ())]


def terms(setup: Setup) -> list[str]:
    """Returns what is played at a table: edition, options, goods."""
    chosen = [words for option, words in _OPTIONS.items() if option in setup.options]
    extra = [good.kind for good in setup.extra]
    return [
        f"The {setup.edition.value} edition for {setup.players} players; everybody is sheriff {_times(setup.terms)}.",
        f"Options: {'; '.join(chosen) or 'none'}.",
        f"In the deck, {setup.cards} cards: {', '.join(f'{good.count} {good.kind}' for good in setup.goods)}.",
        *([f"Goods that are in no box: {', '.join(extra)}."] if extra else []),
    ]


def seats(info: TableInfo, me: PublicIdentity, connected: Collection[PublicIdentity]) -> list[str]:
    """Returns who sits where, what they say they carry, and whether they are ready."""
    lines = []
    for seat, member in enumerate(info.members, start=1):
        own = member.identity == me
        notes = ["you"] if own else []
        notes += ["opened the table"] if member.identity == info.opener else []
        notes += ["not connected"] if not own and member.identity not in connected else []
        noted = f" ({', '.join(notes)})" if notes else ""
        purse = "no word of a purse" if member.purse is None else f"a purse of {member.purse}"
        ready = "ready" if member.ready else "not ready"
        lines.append(f"Seat {seat}: {member.name}{noted}, {purse}, {ready}.")
    if info.free_seats:
        lines.append(f"{_count(info.free_seats, 'seat')} {'is' if info.free_seats == 1 else 'are'} free.".capitalize())
    return [*lines, _first_sheriff(info)]


def changes(before: TableInfo, after: TableInfo, me: PublicIdentity) -> list[str]:
    """Returns what is new at the table, a sentence for each change."""
    lines = [
        f"{'You have' if old.identity == me else f'{old.name} has'} left the table."
        for old in before.members
        if after.member(old.identity) is None
    ]
    for new in after.members:
        is_own, old = new.identity == me, before.member(new.identity)
        if old is None:
            lines.append("You sit at the table." if is_own else f"{new.name} sits down.")
        if new.purse != (old.purse if old else None):
            lines.append(_purse(new, is_own=is_own))
        if new.ready != (old.ready if old else False):
            lines.append(
                f"{'You are' if is_own else f'{new.name} is'} {'ready' if new.ready else 'not ready any more'}."
            )
    stayed = [member.identity for member in before.members if after.member(member.identity)]
    if stayed != [member.identity for member in after.members if before.member(member.identity)]:
        lines.append(f"The seats are arranged: {', '.join(member.name for member in after.members)}.")
    if lines and after.free_seats != before.free_seats:
        lines.append(f"{_count(after.free_seats, 'free seat').capitalize()} left.")
    return lines


def missing(info: TableInfo, me: PublicIdentity, connected: Collection[PublicIdentity]) -> list[str]:
    """Returns why the game can't start yet; nothing if it can."""
    unready = [member for member in info.members if not member.ready]
    away = [member.name for member in info.members if member.identity not in (me, *connected)]
    names = ["you" if member.identity == me else member.name for member in unready]
    lines = [f"{_count(info.free_seats, 'seat')} still free.".capitalize()] if info.free_seats else []
    lines += [f"Not ready: {', '.join(names)}."] if names else []
    return lines + ([f"Not connected: {', '.join(away)}."] if away else [])


def _first_sheriff(info: TableInfo) -> str:
    purses = [member.purse for member in info.members]
    if all(purse is None for purse in purses):
        return "First sheriff: drawn by lot."
    richest = [info.members[seat].name for seat in first_sheriff_candidates(purses)]
    if len(richest) == 1:
        return f"First sheriff by the purses: {richest[0]}."
    return f"First sheriff by the purses: drawn by lot among {', '.join(richest)}."


def _purse(member: Member, *, is_own: bool) -> str:
    who = "You say that you carry" if is_own else f"{member.name} claims to carry"
    if member.purse is None:
        return "You don't say what you carry." if is_own else f"{member.name} does not say what they carry."
    return f"{who} {_count(member.purse, 'coin')}."


def _name(info: TableInfo, identity: PublicIdentity) -> str:
    member = info.member(identity)
    return member.name if member else "the player"


def _times(number: int) -> str:
    return {2: "twice", 3: "three times"}.get(number, f"{number} times")


def _count(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"
