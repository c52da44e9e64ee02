"""The faulty files of the corpus: what anybody can do to a file, and what takes the key of a player."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from p2p_sheriff.rules import Handle
from p2p_sheriff.session.acts import (
    Act,
    Attests,
    Commits,
    Opens,
    Payload,
    Rearranges,
    Reveals,
    Seals,
    Shows,
    Shuffles,
    Strips,
)
from protocol.codec import encode
from protocol.entry import Entry, Head
from tests.vectors.corpus import NOBODY, Played, Spoilt, payload_of
from tests.vectors.notation import flipped


def spoilt() -> list[Spoilt]:
    """Returns all cases."""
    game = Played()
    return [*_files(game), *_damage(game), *_links(game), *_words(game), *_turns(game), *_proofs(game), *_ends(game)]


def _files(game: Played) -> Iterator[Spoilt]:
    content, end = game.content, len(game.entries)
    begin, length = 8, int.from_bytes(content[8:12])
    charter = content[12 : 12 + length]
    rest = content[12 + length :]
    yield Spoilt("no bytes", b"", "no record")
    yield Spoilt("another magic", b"S" + content[1:], "no record")
    yield Spoilt("another version of files", content[:7] + b"\2" + content[8:], "no record")
    yield Spoilt("it ends in its charter", content[: 12 + length - 1], code="BAD_CHARTER")
    yield Spoilt("it ends before its charter", content[:begin], code="BAD_CHARTER")
    yield Spoilt(
        "a charter that is too long", content[:8] + ((1 << 16) + 1).to_bytes(4) + content[12:], code="BAD_CHARTER"
    )
    longer = content[:8] + (length + 1).to_bytes(4) + charter + b"\xc0" + rest
    yield Spoilt("a byte behind the charter, within its frame", longer, code="BAD_CHARTER")
    other = content[:8] + length.to_bytes(4) + charter.replace(b"sheriff/", b"sheriff\\") + rest
    yield Spoilt("the terms of another game", other, code="BAD_CHARTER")
    another = content[:8] + length.to_bytes(4) + flipped(charter, 8 * length - 8) + rest
    yield Spoilt("another nonce, so another game", another, code="UNREADABLE", entry=0, author=(0, 0))
    yield Spoilt("the charter alone", game.having([]), "unfinished")
    yield Spoilt("up to an entry", game.upto(9), "unfinished")
    yield Spoilt("cut off in an entry", content[: game.starts[9] + 50], "unfinished")
    yield Spoilt("cut off in the length of an entry", content[: game.starts[9] + 3], "unfinished")
    yield Spoilt("without the last seal", game.upto(end - 1), "valid")
    yield Spoilt("cut off in the last seal", content[:-1], "valid")
    yield Spoilt("an entry of no bytes", game.upto(3, b""), code="UNREADABLE", entry=3)
    yield Spoilt("an entry of no bytes behind the end", content + bytes(4), code="UNREADABLE", entry=end)
    too_long = content + ((1 << 17) + 1).to_bytes(4)
    yield Spoilt("more is announced than an entry can have", too_long, code="UNREADABLE", entry=end)
    yield Spoilt("three bytes behind the end", content + bytes(3), code="SURPLUS", entry=end)
    yield Spoilt("a part of an entry behind the end", content + b"\0\0\0\x64x", code="SURPLUS", entry=end)


def _damage(game: Played) -> Iterator[Spoilt]:
    entries, attests = game.entries, game.first(Attests)
    author = game.author(attests)
    first = next(p for p, one in enumerate(game.signed) if one.entry.heads[author[0]].length > author[1])
    dropped = game.having(entries[:attests] + entries[attests + 1 :])
    yield Spoilt("an entry is missing", dropped, code="MISSING", entry=first - 1, author=game.author(first))
    early = game.having([entries[1], entries[0], *entries[2:]])
    yield Spoilt("an entry before one that it names", early, code="MISSING", entry=0, author=game.author(1))
    swapped = game.having([*entries[:attests], entries[attests + 1], entries[attests], *entries[attests + 2 :]])
    yield Spoilt(
        "two that do not name each other exchanged", swapped, code="MISPLACED", entry=attests + 1, author=author
    )
    twice = game.having([*entries[: attests + 1], *entries[attests:]])
    yield Spoilt("an entry twice", twice, code="REPEATED", entry=attests + 1, author=author)
    again = game.having([*entries, entries[attests]])
    yield Spoilt("an entry again at the end", again, code="REPEATED", entry=len(entries), author=author)
    signed = game.signed[attests]
    for comment, entry, code in (
        (
            "a flipped bit of a signature",
            replace(signed, signature=flipped(signed.signature, 77)).to_bytes(),
            "UNSIGNED",
        ),
        ("signed by somebody else", encode((signed.body, game.identities[2].sign("entry", signed.body))), "UNSIGNED"),
        ("a signature of 65 bytes", encode((signed.body, signed.signature + b"\0")), "UNSIGNED"),
        ("a byte behind an entry", entries[attests] + b"\0", "UNREADABLE"),
    ):
        author_told = NOBODY if code == "UNREADABLE" else author
        yield Spoilt(comment, game.upto(attests, entry), code=code, entry=attests, author=author_told)
    foreign = game.resigned(attests, game=bytes(32))
    yield Spoilt("of another game", game.upto(attests, foreign), code="UNREADABLE", entry=attests, author=author)


def _links(game: Played) -> Iterator[Spoilt]:
    place = game.first(Commits)
    entry, author = game.signed[place].entry, game.author(place)
    start = Head(0, game.charter.game)

    def heads(seat: int, head: Head) -> tuple[Head, ...]:
        return (*entry.heads[:seat], head, *entry.heads[seat + 1 :])

    own, next_seat = author[0], (author[0] + 1) % 3
    last = entry.heads[next_seat]
    yield _of(
        game, place, "BROKEN_CHAIN", "it follows nothing that is here", heads=heads(own, Head(author[1], bytes(32)))
    )
    yield _of(game, place, "HEADS_WENT_BACK", "it has seen less than before", heads=heads(next_seat, start))
    yield _of(game, place, "DISPUTED", "it names another entry", heads=heads(next_seat, Head(last.length, bytes(32))))
    yield _of(
        game, place, "MISSING", "it names an entry that is not there", heads=heads(next_seat, Head(99, bytes(32)))
    )
    yield _of(
        game, 0, "UNKNOWN_HEADS", "a chain that begins with something else", heads=(start, Head(0, bytes(32)), start)
    )
    words = replace(entry, step=None, payload=("say", "no"))
    forked = game.upto(place + 1, game.sign(words))
    yield Spoilt("two entries with one number", forked, code="EQUIVOCATION", entry=place + 1, author=author)
    behind = next(
        p for p, one in enumerate(game.signed) if p > place and one.entry.author != own and _knows(one.entry, entry)
    )
    named = game.signed[behind]
    open_heads = [*entry.heads[:own], Head(author[1] + 1, game.signed[place].hash), *entry.heads[own + 1 :]]
    open_heads[named.entry.author] = Head(named.entry.sequence + 1, named.hash)
    third = 3 - own - named.entry.author
    if named.entry.heads[third].length > open_heads[third].length:
        made = Entry(game.charter.game, own, tuple(open_heads), None, ("say", "no"))
        content = game.upto(behind + 1, game.sign(made))
        yield Spoilt(
            "heads that are not closed", content, code="OPEN_HEADS", entry=behind + 1, author=(own, author[1] + 1)
        )


def _knows(entry: Entry, other: Entry) -> bool:
    return entry.heads[other.author].length > other.sequence


def _of(game: Played, place: int, code: str, comment: str, **changes: Any) -> Spoilt:
    """Returns the file that ends with an entry which its author has written otherwise."""
    content = game.upto(place, game.resigned(place, **changes))
    return Spoilt(comment, content, code=code, entry=place, author=game.author(place))


def _words(game: Played) -> Iterator[Spoilt]:
    place = game.first(Commits)
    seat = game.author(place)[0]
    for code, comment, payload in (
        ("MALFORMED", "a word that nobody knows", ("dance",)),
        ("MALFORMED", "a text of 401 bytes", ("say", "y" * 401)),
        ("MALFORMED", "a call of time where no time runs", ("time", 1)),
        ("MALFORMED", "a vote with a seat twice", ("vote", (), (1, 1), 0)),
        ("FORBIDDEN", "an acceptance in the name of somebody else", ("negotiate", ("Accept", 1 - seat, seat, 0))),
        ("FALSE_VOTE", "a vote against oneself", ("vote", (), (seat,), 0)),
        ("FALSE_VOTE", "a vote without half of the table", ("vote", (), tuple(s for s in range(3) if s != seat), 0)),
        ("OVER_BUDGET", "a word of 3,000 bytes", ("say", "y" * 3000)),
    ):
        yield _of(game, place, code, comment, step=None, payload=payload)
    ack = next(p for p, one in enumerate(game.signed) if one.entry.is_acknowledgement)
    entry = game.signed[ack]
    heads = list(entry.entry.heads)
    heads[entry.entry.author] = Head(entry.entry.sequence + 1, entry.hash)
    content = game.upto(ack + 1, game.sign(replace(entry.entry, heads=tuple(heads))))
    author = (entry.entry.author, entry.entry.sequence + 1)
    yield Spoilt("an acknowledgement of nothing new", content, code="OVER_BUDGET", entry=ack + 1, author=author)


def _turns(game: Played) -> Iterator[Spoilt]:
    shuffle, load, declare, name = (
        game.first(Shuffles),
        game.moving("Load"),
        game.moving("Declare"),
        game.moving("NameFirst"),
    )
    seat = game.author(declare)[0]
    yield _of(game, shuffle, "OUT_OF_TURN", "the step after the next", step=1)
    instead = Entry(game.charter.game, 2, game.signed[1].entry.heads, 1, game.signed[1].entry.payload)
    yield Spoilt(
        "a step of somebody else", game.upto(1, game.sign(instead)), code="OUT_OF_TURN", entry=1, author=(2, 0)
    )
    for code, place, comment, payload in (
        ("MALFORMED", shuffle, "no acts and no proof", 5),
        ("MALFORMED", shuffle, "an entry without acts", ((), b"")),
        ("MALFORMED", declare, "a word for a number", ((("move", ("Declare", seat, "two", "apples")),), b"")),
        ("MALFORMED", declare, "an act that nobody knows", ((("dance",),), b"")),
        ("MALFORMED", load, "a commitment of 31 bytes", ((("move", ("Load", game.author(load)[0], bytes(31))),), b"")),
        ("MALFORMED", declare, "a proof of nothing", ((("move", ("Declare", seat, 1, "apples")),), b"\0")),
        ("FORBIDDEN", declare, "a seal before the end", ((("seal", bytes(32)),), b"")),
        ("FORBIDDEN", declare, "another act than is asked for", ((("prove",),), b"")),
        (
            "FORBIDDEN",
            declare,
            "a move of somebody else's",
            ((("move", ("Declare", (seat + 1) % 3, 1, "apples")),), b""),
        ),
        ("FORBIDDEN", declare, "an offer as a step", ((("move", ("Withdraw", seat, 0)),), b"")),
        ("FORBIDDEN", declare, "contraband is declared", ((("move", ("Declare", seat, 1, "silk")),), b"")),
        ("FORBIDDEN", declare, "a good that there is not", ((("move", ("Declare", seat, 1, "gravel")),), b"")),
        ("FORBIDDEN", declare, "no cards are declared", ((("move", ("Declare", seat, 0, "apples")),), b"")),
        (
            "FORBIDDEN",
            name,
            "the sheriff begins the market",
            ((("move", ("NameFirst", *game.author(name)[:1] * 2)),), b""),
        ),
        ("FORBIDDEN", name, "a merchant that there is not", ((("move", ("NameFirst", game.author(name)[0], 7)),), b"")),
    ):
        yield _of(game, place, code, comment, payload=payload)
    commit = game.first(Commits)
    twice = replace(payload_of(game.signed[commit].entry), acts=payload_of(game.signed[commit].entry).acts * 2)
    yield _of(game, commit, "FORBIDDEN", "a second act where others are expected", payload=twice.to_value())
    ack = next(p for p, one in enumerate(game.signed) if one.entry.is_acknowledgement)
    reveal = next(
        p for p in range(len(game.signed)) if p >= game.first(Reveals) and game.author(p)[0] == game.author(ack)[0]
    )
    hasty = game.signed[reveal].entry
    yield _of(
        game, ack, "FORBIDDEN", "a share before all have seen all commitments", step=hasty.step, payload=hasty.payload
    )


def _proofs(game: Played) -> Iterator[Spoilt]:
    shuffle, strip, lay = game.first(Shuffles), game.first(Strips), game.first(Rearranges)
    attest = max(p for p in range(strip) if _has(game, p, Attests))
    listed = _act(game, shuffle).change
    first = listed.points[:32]
    for code, place, comment, act in (
        ("MALFORMED", shuffle, "a list with its proof", Shuffles(replace(listed, proof=b"\0"))),
        (
            "MALFORMED",
            shuffle,
            "a list with a card twice",
            Shuffles(replace(listed, points=first + first + listed.points[64:])),
        ),
        ("MALFORMED", shuffle, "a list with a card too few", Shuffles(replace(listed, points=listed.points[32:]))),
        ("MALFORMED", attest, "a proof of a shuffle with a byte too few", Attests(_act(game, attest).proof[:-1])),
        (
            "FALSE_PROOF",
            attest,
            "a false proof of a shuffle",
            Attests(flipped(_act(game, attest).proof, 8 * 8 * 32 + 1)),
        ),
        (
            "MALFORMED",
            strip,
            "a strip of one card less",
            _strip(game, strip, points=_act(game, strip).change.points[32:]),
        ),
        ("MALFORMED", strip, "a strip with a key", _strip(game, strip, key=listed.key)),
        (
            "FALSE_PROOF",
            strip,
            "a false proof of a strip",
            _strip(game, strip, proof=flipped(_act(game, strip).change.proof, 300)),
        ),
        ("FALSE_PROOF", strip, "two cards exchanged in a strip", _strip(game, strip, points=_exchanged(game, strip))),
        ("FALSE_PROOF", game.first(Reveals), "another share than was committed to", Reveals(bytes(32))),
    ):
        payload = Payload((act,)).to_value()
        yield _of(game, place, code, comment, payload=payload)
    laid = _act(game, lay).rearrangement
    for code, comment, other in (
        ("MALFORMED", "a gathering where there is one key", replace(laid, gather=laid.change)),
        (
            "FALSE_PROOF",
            "a false proof of a rearrangement",
            replace(laid, change=replace(laid.change, proof=flipped(laid.change.proof, 8 * 8 * 32 + 1))),
        ),
    ):
        yield _of(game, lay, code, comment, payload=Payload((Rearranges(other),)).to_value())
    opens = game.first(Opens)
    told = payload_of(game.signed[opens].entry)
    bag = told.acts[0]
    assert isinstance(bag, Opens)
    for code, comment, opened in (
        ("FALSE_PROOF", "a bag that opens with another salt", replace(bag, salt=bytes(32))),
        (
            "FALSE_PROOF",
            "a bag that opens to other cards",
            replace(bag, handles=(*bag.handles[:-1], Handle(bag.handles[-1] + 1))),
        ),
        ("MALFORMED", "a bag with a card twice", replace(bag, handles=(*bag.handles, bag.handles[-1]))),
    ):
        yield _of(game, opens, code, comment, payload=replace(told, acts=(opened, *told.acts[1:])).to_value())
    shows = game.first(Shows)
    shown = payload_of(game.signed[shows].entry)
    yield _of(
        game,
        shows,
        "FALSE_PROOF",
        "a false proof of what is shown",
        payload=replace(shown, proof=flipped(shown.proof, 8 * (len(shown.proof) - 32) + 1)).to_value(),
    )
    yield _of(game, shows, "MALFORMED", "what is shown without a proof", payload=replace(shown, proof=b"").to_value())
    *before, show = shown.acts
    assert isinstance(show, Shows)
    gravel = Shows(tuple((handle, "gravel") for handle, _ in show.cards))
    yield _of(
        game,
        shows,
        "FORBIDDEN",
        "a kind that is not in the deck",
        payload=replace(shown, acts=(*before, gravel)).to_value(),
    )


def _has(game: Played, place: int, kind: type[Act]) -> bool:
    entry = game.signed[place].entry
    return entry.step is not None and isinstance(payload_of(entry).acts[0], kind)


def _act(game: Played, place: int) -> Any:
    return payload_of(game.signed[place].entry).acts[0]


def _strip(game: Played, place: int, **changes: bytes) -> Strips:
    return Strips(replace(_act(game, place).change, **changes))


def _exchanged(game: Played, place: int) -> bytes:
    points: bytes = _act(game, place).change.points
    return points[32:64] + points[:32] + points[64:]


def _ends(game: Played) -> Iterator[Spoilt]:
    end, last = len(game.entries), game.signed[-1]
    seal = Payload((Seals(bytes(32)),)).to_value()
    false = game.having([*game.entries[:-1], game.resigned(end - 1, payload=seal)])
    yield Spoilt("a seal of another result", false, code="FORBIDDEN", entry=end - 1, author=game.author(end - 1))
    lowest = game.first(Seals)
    waiting = game.having([*game.entries[:lowest], *game.entries[lowest + 1 :]])
    yield Spoilt("the seal of the lowest seat is missing", waiting, "valid")
    heads = list(last.entry.heads)
    heads[last.entry.author] = Head(last.entry.sequence + 1, last.hash)
    words = game.sign(replace(last.entry, heads=tuple(heads), step=None, payload=("say", "again?")))
    author = (last.entry.author, last.entry.sequence + 1)
    yield Spoilt(
        "words behind the last seal", game.having([*game.entries, words]), code="SURPLUS", entry=end, author=author
    )
