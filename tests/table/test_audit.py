from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from p2p_sheriff.audit import Report, Unfinished, Valid, as_text, audit
from p2p_sheriff.rules import Setup, apply, new_game, outcome
from p2p_sheriff.rules.moves import Declare
from p2p_sheriff.session.acts import Moves, Payload, Proves, Says, Seals, free_to_value
from p2p_sheriff.session.record import NotARecordError, Record, record_of
from p2p_sheriff.session.replay import Finding, Flaw, read_entries, replay
from p2p_sheriff.session.terms import setup_of
from p2p_sheriff.simnet import open_table
from protocol.charter import Charter, Player
from protocol.entry import Head
from protocol.errors import MalformedError
from protocol.faults import FaultCode
from tests.drbg import Drbg
from tests.table.games import SHORT_DECK, bot_game
from tests.table.transcripts import GROUP, Game, finished_game


@pytest.fixture
def game() -> Game:
    return finished_game()


@pytest.fixture
def places(game: Game) -> list[int]:
    """Some entries of the file, the first and the last ones among them."""
    middle = range(2, len(game.entries) - 4)
    return [0, 1, *sorted(Random(1).sample(middle, 24)), *range(len(game.entries) - 4, len(game.entries))]


def found(report: Report) -> Finding:
    assert isinstance(report.verdict, Finding), report.verdict
    return report.verdict


def payloads(game: Game) -> Iterator[tuple[int, Payload]]:
    """The entries that take a step, with their places."""
    for place, signed in enumerate(game.signed):
        if signed.entry.step is not None:
            yield place, Payload.from_value(signed.entry.payload)


def first_flaw(content: bytes) -> Finding | None:
    """What signatures, links and order alone show, without any proof or rule."""
    _, flaw = read_entries(Record.from_bytes(GROUP, content))
    return flaw


# -- what is accepted


def test_a_whole_game_is_valid_and_has_the_score_that_the_players_saw(game: Game) -> None:
    report = audit(game.content, GROUP)
    assert report.verdict == Valid(outcome(game.sessions[2].play.state))
    assert report.entries == len(game.entries)
    assert report.charter == game.charter


@pytest.mark.slow
def test_a_whole_game_of_four_with_the_whole_deck_and_options_is_valid() -> None:
    setup = Setup(players=4, options=frozenset({"royal", "missing", "seven", "black-market"}))
    net = bot_game(setup, GROUP, 11)
    (content,) = {record_of(session.table).to_bytes() for session in net.sessions}
    assert audit(content, GROUP).verdict == Valid(outcome(net.sessions[0].play.state))


def test_progress_is_told_entry_by_entry(game: Game) -> None:
    told: list[tuple[int, int]] = []
    record = replace(game.record, entries=game.record.entries[:5])
    audit(record.to_bytes(), GROUP, lambda done, of: told.append((done, of)))
    assert told == [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]


def test_the_inputs_of_all_steps_lead_the_rules_to_the_same_end(game: Game) -> None:
    state, places = new_game(setup_of(game.charter)), []
    for step in replay(game.record, GROUP, Drbg("replay")):
        places.append(step.place)
        for happened in step.happened:
            for item in happened.inputs:
                state = apply(state, item)
        assert state == step.play.state
    assert places == list(range(len(game.entries)))
    assert state == game.sessions[0].play.state


# -- a file that was changed by somebody without keys


def test_a_flipped_bit_anywhere_is_found_where_it_is(game: Game) -> None:
    rng = Random(200)
    for position in rng.sample(range(8 * len(game.content)), 200):
        flipped = bytearray(game.content)
        flipped[position // 8] ^= 1 << position % 8
        place = game.entry_at(position // 8)
        try:
            record = Record.from_bytes(GROUP, bytes(flipped))
        except MalformedError:
            assert place is None
            continue
        # A changed charter is that of another game, so that its first entry does not belong to it.
        entries, flaw = read_entries(record)
        assert len(entries) == (place or 0)
        assert flaw.place == len(entries) if flaw else record.rest


@pytest.mark.parametrize("part", range(3))
def test_the_whole_audit_names_the_entry_with_a_flipped_bit_and_blames_nobody(game: Game, part: int) -> None:
    position = len(game.content) * part // 3 + 900
    finding = found(
        audit(game.content[:position] + bytes([game.content[position] ^ 1]) + game.content[position + 1 :], GROUP)
    )
    assert finding.place == game.entry_at(position)
    assert finding.code in {Flaw.UNREADABLE, Flaw.UNSIGNED}
    assert not finding.is_proven


def test_a_flipped_bit_before_the_entries_is_found_too(game: Game) -> None:
    start = len(replace(game.record, entries=()).to_bytes())
    for position in range(start):
        flipped = game.content[:position] + bytes([game.content[position] ^ 1]) + game.content[position + 1 :]
        try:
            flaw = first_flaw(flipped)
        except NotARecordError:
            assert position < 8
        except MalformedError:
            assert position >= 8
        else:
            assert (flaw and flaw.place) == 0


def test_a_dropped_entry_is_missed_by_the_first_that_names_it(game: Game, places: list[int]) -> None:
    for place in places:
        left = [*game.signed[:place], *game.signed[place + 1 :]]
        author, sequence = game.signed[place].entry.author, game.signed[place].entry.sequence
        names_it = [later for later, one in enumerate(left) if one.entry.heads[author].length > sequence]
        flaw = first_flaw(game.having([one.to_bytes() for one in left]))
        if names_it:
            assert flaw is not None
            assert (flaw.place, flaw.code) == (names_it[0], Flaw.MISSING)
            assert (flaw.seat, flaw.number) == (left[names_it[0]].entry.author, left[names_it[0]].entry.sequence)
        else:
            assert flaw is None
            assert place in game.seals


def test_without_one_signature_of_the_result_the_game_is_unfinished_and_waits_for_that_seat(game: Game) -> None:
    last = game.signed[-1].entry.author
    assert audit(game.having(game.entries[:-1]), GROUP).verdict == Unfinished((last,), is_cut_off=False)


def test_two_swapped_neighbours_are_found(game: Game, places: list[int]) -> None:
    for place in places[:-1]:
        swapped = [*game.entries[:place], game.entries[place + 1], game.entries[place], *game.entries[place + 2 :]]
        flaw = first_flaw(game.having(swapped))
        assert flaw is not None
        assert (flaw.place, flaw.code) in {(place, Flaw.MISSING), (place + 1, Flaw.MISPLACED)}


def test_some_entries_are_independent_so_that_only_the_canonical_order_fixes_their_places(game: Game) -> None:
    pairs = zip(game.signed, game.signed[1:], strict=False)
    assert any(b.entry.heads[a.entry.author].length <= a.entry.sequence for a, b in pairs)


def test_a_repeated_entry_is_found_wherever_it_stands_again(game: Game, places: list[int]) -> None:
    rng = Random(3)
    for place in places:
        again = rng.randint(place + 1, len(game.entries))
        flaw = first_flaw(game.having([*game.entries[:again], game.entries[place], *game.entries[again:]]))
        assert flaw is not None
        assert (flaw.place, flaw.code, flaw.seat) == (again, Flaw.REPEATED, game.signed[place].entry.author)


def test_an_entry_signed_by_another_seat_is_found(game: Game, places: list[int]) -> None:
    for place in places:
        signed = game.signed[place]
        forged = game.sign((signed.entry.author + 1) % 3, signed.entry)
        flaw = first_flaw(game.instead(place, forged))
        expected = (place, Flaw.UNSIGNED, signed.entry.author, signed.entry.sequence)
        assert flaw is not None
        assert (flaw.place, flaw.code, flaw.seat, flaw.number) == expected


@pytest.mark.parametrize("length", [0, 40, -3])
def test_a_file_whose_end_was_cut_off_is_unfinished(game: Game, length: int) -> None:
    verdict = audit(game.having(game.entries[:length]), GROUP).verdict
    assert isinstance(verdict, Unfinished)
    assert not verdict.is_cut_off


def test_a_file_that_ends_in_the_middle_of_an_entry_is_unfinished_and_says_so(game: Game) -> None:
    report = audit(game.content[:-1], GROUP)
    assert report.verdict == Unfinished((game.signed[-1].entry.author,), is_cut_off=True)
    assert f"in the middle of entry {len(game.entries) - 1}" in as_text(report)


def test_a_length_that_no_entry_has_is_found(game: Game) -> None:
    record = replace(game.record, entries=game.record.entries[:20], rest=b"\xff\xff\xff\xff and more")
    finding = found(audit(record.to_bytes(), GROUP))
    assert (finding.place, finding.code) == (20, Flaw.UNREADABLE)


def test_entries_of_another_game_are_refused(game: Game) -> None:
    (session, *_) = open_table(setup_of(game.charter), GROUP, Drbg("another game"))
    session.advance()
    for place in (0, 30, len(game.entries)):
        flaw = first_flaw(game.having([*game.entries[:place], *session.outbox, *game.entries[place:]]))
        assert flaw is not None
        assert (flaw.place, flaw.code) == (place, Flaw.UNREADABLE)
        assert "another game" in flaw.reason


def test_a_player_renamed_in_the_charter_makes_it_another_game(game: Game) -> None:
    players = game.charter.players
    proposal = replace(game.charter.proposal, players=(Player(players[0].identity, "Robin"), *players[1:]))
    finding = found(audit(replace(game.record, charter=Charter(proposal, game.charter.nonces)).to_bytes(), GROUP))
    assert (finding.place, finding.code) == (0, Flaw.UNREADABLE)


def test_a_charter_for_something_else_is_refused(game: Game) -> None:
    proposal = replace(game.charter.proposal, terms=("chess", 1))
    record = Record(Charter(proposal, game.charter.nonces), ())
    finding = found(audit(record.to_bytes(), GROUP))
    assert (finding.place, finding.code) == (None, Flaw.BAD_CHARTER)


def test_bytes_behind_the_end_of_the_game_are_found(game: Game) -> None:
    finding = found(audit(game.content + b"\n", GROUP))
    assert (finding.place, finding.code) == (len(game.entries), Flaw.SURPLUS)


# -- a file that was changed by somebody with keys


def test_an_entry_whose_author_signs_another_proof_is_found_and_its_author_proved_guilty(game: Game) -> None:
    place = next(place for place, payload in payloads(game) if payload.proof)
    payload = Payload.from_value(game.signed[place].entry.payload)
    forged = game.resigned(place, payload=replace(payload, proof=payload.proof[:-32] + bytes(32)).to_value())
    finding = found(audit(game.instead(place, forged), GROUP))
    assert (finding.place, finding.code) == (place, FaultCode.FALSE_PROOF)
    assert (finding.seat, finding.is_proven) == (game.signed[place].entry.author, True)


def test_an_entry_that_its_author_signs_anew_with_other_words_is_contradicted_by_who_saw_the_first(
    game: Game, places: list[int]
) -> None:
    for place in places[:-1]:
        author, sequence = game.signed[place].entry.author, game.signed[place].entry.sequence
        later = [at for at, one in enumerate(game.signed) if one.entry.heads[author].length > sequence]
        flaw = first_flaw(game.instead(place, game.resigned(place, payload=free_to_value(Says("I never said that")))))
        if not later:
            assert place in game.seals
            continue
        by_author = game.signed[later[0]].entry.author == author
        assert flaw is not None
        assert (flaw.place, flaw.code) == (later[0], FaultCode.BROKEN_CHAIN if by_author else Flaw.DISPUTED)
        assert flaw.is_proven == by_author


def test_another_declaration_signed_afterwards_is_refused_though_the_rules_allow_it(game: Game) -> None:
    place, declared = next(
        (place, act.move)
        for place, payload in payloads(game)
        for act in payload.acts
        if isinstance(act, Moves) and isinstance(act.move, Declare)
    )
    other = replace(declared, kind="apples" if declared.kind != "apples" else "cheese")
    forged = game.resigned(place, payload=Payload((Moves(other),)).to_value())
    finding = found(audit(game.instead(place, forged), GROUP))
    assert finding.place is not None
    assert finding.place > place
    assert finding.code in {Flaw.DISPUTED, FaultCode.BROKEN_CHAIN}


@pytest.mark.parametrize("seat", range(3))
def test_a_false_result_is_refused_and_its_signer_named(game: Game, seat: int) -> None:
    place = next(place for place in game.seals if game.signed[place].entry.author == seat)
    forged = game.resigned(place, payload=Payload((Seals(bytes(32)),)).to_value())
    finding = found(audit(game.instead(place, forged), GROUP))
    assert (finding.place, finding.seat, finding.code) == (place, seat, FaultCode.FORBIDDEN)
    assert "not the result" in finding.reason


def test_something_else_than_the_result_signed_at_the_end_is_refused(game: Game) -> None:
    forged = game.resigned(len(game.entries) - 1, payload=Payload((Proves(),)).to_value())
    finding = found(audit(game.having([*game.entries[:-1], forged]), GROUP))
    assert (finding.place, finding.code) == (len(game.entries) - 1, FaultCode.FORBIDDEN)


def test_two_entries_with_one_number_prove_their_author_guilty(game: Game) -> None:
    place = 25
    author = game.signed[place].entry.author
    second = game.resigned(place, payload=free_to_value(Says("or rather this")), step=None)
    flaw = first_flaw(game.having([*game.entries[: place + 1], second, *game.entries[place + 1 :]]))
    assert flaw is not None
    assert (flaw.place, flaw.code, flaw.seat) == (place + 1, FaultCode.EQUIVOCATION, author)


def test_an_entry_that_has_seen_less_than_the_one_before_proves_its_author_guilty(game: Game) -> None:
    place = next(place for place, one in enumerate(game.signed) if one.entry.author == 2 and one.entry.sequence == 5)
    heads = (Head(0, game.charter.game), *game.signed[place].entry.heads[1:])
    flaw = first_flaw(
        game.having([*game.entries[:place], game.resigned(place, heads=heads), *game.entries[place + 1 :]])
    )
    assert flaw is not None
    assert (flaw.place, flaw.code, flaw.seat) == (place, FaultCode.HEADS_WENT_BACK, 2)


def test_an_entry_taken_over_by_another_seat_is_refused(game: Game) -> None:
    rng = Random(9)
    for place in rng.sample(range(3, len(game.entries) // 2), 4):
        entry = game.signed[place].entry
        thief = (entry.author + 1) % 3
        stolen = game.sign(thief, replace(entry, author=thief))
        finding = found(audit(game.having([*game.entries[:place], stolen, *game.entries[place + 1 :]]), GROUP))
        assert finding.place is not None
        assert finding.place >= place


def test_words_behind_the_end_of_the_game_are_found(game: Game) -> None:
    table = game.sessions[0].table
    heads = table.transcript.heads
    template = game.signed[-1].entry
    entry = replace(template, author=0, heads=heads, step=None, payload=free_to_value(Says("one more thing")))
    finding = found(audit(game.having([*game.entries, game.sign(0, entry)]), GROUP))
    assert (finding.place, finding.code, finding.seat) == (len(game.entries), Flaw.SURPLUS, 0)


# -- what people read


def test_names_can_not_steer_a_terminal() -> None:
    names = ["\x1b[2JRobin", "Mari\u202en", "John"]
    (session, *_) = open_table(Setup(players=3, short=SHORT_DECK), GROUP, Drbg("names"), names)
    session.advance()
    text = as_text(audit(record_of(session.table).to_bytes(), GROUP))
    assert "waits for seat 1 (Mari\N{REPLACEMENT CHARACTER}n)" in text
    assert all(line.isprintable() for line in text.splitlines())
