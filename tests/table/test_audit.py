from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from p2p_sheriff.audit import Report, Unfinished, Valid, as_text, audit
from p2p_sheriff.lab.simnet import open_table
from p2p_sheriff.rules import Setup, apply, new_game, outcome
from p2p_sheriff.rules.moves import Declare
from p2p_sheriff.session.acts import FREE, Moves, Payload, Proves, Says, Seals
from p2p_sheriff.session.happenings import Happened
from p2p_sheriff.session.record import Record, record_of, signatures, unsigned
from p2p_sheriff.session.replay import Finding, Flaw, read_entries, replay
from p2p_sheriff.session.terms import setup_of
from protocol.charter import Charter, Player
from protocol.entry import Head
from protocol.faults import FaultCode
from tests.drbg import Drbg
from tests.table.games import SHORT_DECK
from tests.table.tampering import (
    Ends,
    Named,
    assert_rejected,
    cut_off,
    dropped,
    false_result,
    false_result_of_all,
    flipped,
    repeated,
    signed_by,
    swapped,
)
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
            for item in happened.inputs if isinstance(happened, Happened) else ():
                state = apply(state, item)
        assert state == step.play.state
    assert places == list(range(len(game.entries)))
    assert state == game.sessions[0].play.state


# -- a file that was changed by somebody without keys


def test_a_flipped_bit_anywhere_is_found_where_it_is(game: Game) -> None:
    for bit in Random(200).sample(range(8 * len(game.content)), 200):
        assert_rejected(flipped(game, bit))


@pytest.mark.parametrize("part", range(3))
def test_a_flipped_bit_in_an_entry_is_a_flaw_of_the_file_and_blames_nobody(game: Game, part: int) -> None:
    finding = assert_rejected(flipped(game, 8 * (len(game.content) * part // 3 + 900)))
    assert isinstance(finding, Finding)
    assert finding.is_damage
    assert not finding.is_proven


def test_a_flipped_bit_in_the_length_of_an_entry_is_found_at_that_entry(game: Game) -> None:
    expected = set()
    for start in (game.starts[0], game.starts[len(game.entries) // 2], game.starts[-2]):
        # The highest bit, the one for 2^16, and the lowest.
        for bit in (8 * start + 7, 8 * (start + 1), 8 * (start + 3)):
            tampered = flipped(game, bit)
            assert_rejected(tampered)
            expected.add(type(tampered.expected))
    assert expected == {Named, Ends}


def test_damage_is_found_before_any_proof_is_checked(game: Game) -> None:
    told: list[tuple[int, int]] = []
    last = flipped(game, 8 * len(game.content) - 1)
    report = audit(last.content, GROUP, lambda done, of: told.append((done, of)))
    assert found(report).place == len(game.entries) - 1
    assert told == []


def test_a_flipped_bit_before_the_entries_is_found_too(game: Game) -> None:
    for position in range(game.starts[0]):
        assert_rejected(flipped(game, 8 * position))


def test_a_dropped_entry_is_missed_by_the_first_that_names_it(game: Game, places: list[int]) -> None:
    for place in places:
        assert_rejected(dropped(game, place))


def test_only_a_signature_of_the_result_is_named_by_nobody(game: Game) -> None:
    unnamed = [place for place in range(len(game.entries)) if game.first_to_name(place) is None]
    assert unnamed
    assert set(unnamed) <= set(game.seals)


def test_without_one_signature_the_game_is_decided_all_the_same_and_says_who_has_not_signed(game: Game) -> None:
    last = game.signed[-1].entry.author
    report = audit(game.having(game.entries[:-1]), GROUP)
    assert report.verdict == Valid(outcome(game.sessions[0].play.state), (last,))
    assert f"the game is decided, but not signed by seat {last} (player {last})." in as_text(report)


def test_who_never_signs_withholds_nothing_but_the_own_signature(game: Game) -> None:
    """Seat 0 is folded first: the others' signatures wait for it, and count all the same."""
    table = game.before_the_seals(1)
    game.seal(table)
    table.receive(game.seal(game.before_the_seals(2)))
    assert (table.game.is_decided, table.game.is_over, unsigned(table)) == (True, False, (0,))
    report = audit(record_of(table).to_bytes(), GROUP)
    assert report.verdict == Valid(outcome(game.sessions[0].play.state), (0,))
    assert {signed.entry.author for signed in signatures(table)} == {1, 2}


def test_the_charter_alone_is_an_unfinished_game_that_waits_for_its_first_seat(game: Game) -> None:
    report = audit(game.having([]), GROUP)
    assert report.verdict == Unfinished((0,), is_cut_off=False)
    assert "The game waits for seat 0 (player 0)" in as_text(report)


def test_two_swapped_neighbours_are_found(game: Game, places: list[int]) -> None:
    for place in places[:-1]:
        assert_rejected(swapped(game, place))


def test_some_entries_are_independent_so_that_only_the_canonical_order_fixes_their_places(game: Game) -> None:
    pairs = zip(game.signed, game.signed[1:], strict=False)
    assert any(b.entry.heads[a.entry.author].length <= a.entry.sequence for a, b in pairs)


def test_a_repeated_entry_is_found_wherever_it_stands_again(game: Game, places: list[int]) -> None:
    rng = Random(3)
    for place in places:
        assert_rejected(repeated(game, place, rng.randint(place + 1, len(game.entries))))


def test_an_entry_signed_by_another_seat_is_found(game: Game, places: list[int]) -> None:
    for place in places:
        assert_rejected(signed_by(game, place, (game.signed[place].entry.author + 1) % 3))


@pytest.mark.parametrize("place", [0, 40, -4])
def test_a_file_whose_end_was_cut_off_is_unfinished(game: Game, place: int) -> None:
    whole = cut_off(game, game.starts[place])
    assert isinstance(whole.expected, Ends)
    assert not whole.expected.is_cut_off
    assert_rejected(whole)


@pytest.mark.parametrize("place", [0, 40, -2])
def test_a_file_that_breaks_off_in_an_entry_is_unfinished_and_waits_for_the_next(game: Game, place: int) -> None:
    for length in (game.starts[place] + 1, game.starts[place] + 50):
        broken = cut_off(game, length)
        assert isinstance(broken.expected, Ends)
        assert broken.expected.is_cut_off
        assert_rejected(broken)


def test_a_file_that_ends_in_the_middle_of_a_signature_is_decided_and_says_so(game: Game) -> None:
    report = audit(game.content[:-1], GROUP)
    last = game.signed[-1].entry.author
    assert report.verdict == Valid(outcome(game.sessions[0].play.state), (last,), is_cut_off=True)
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
        flaw = first_flaw(game.instead(place, game.resigned(place, payload=FREE.write(Says("I never said that")))))
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
    finding = assert_rejected(false_result(game, seat))
    assert isinstance(finding, Finding)
    assert (finding.seat, finding.code) == (seat, FaultCode.FORBIDDEN)
    assert "not the result" in finding.reason


def test_a_false_result_is_refused_though_it_waits_for_a_lower_seat_to_sign(game: Game) -> None:
    entries = [entry for place, entry in enumerate(game.entries) if place not in game.seals]
    false, _ = game.before_the_seals(2).write(Payload((Seals(bytes(32)),)).to_value())
    finding = found(audit(game.having([*entries, false]), GROUP))
    assert (finding.place, finding.seat, finding.code) == (len(entries), 2, FaultCode.FORBIDDEN)
    assert "not the result" in finding.reason


def test_a_false_result_that_all_have_signed_is_refused(game: Game) -> None:
    tampered = false_result_of_all(game)
    assert first_flaw(tampered.content) is None
    finding = assert_rejected(tampered)
    assert isinstance(finding, Finding)
    assert "not the result" in finding.reason


def test_damage_behind_a_false_proof_is_named_first_and_without_it_the_false_proof_is(game: Game) -> None:
    place = next(place for place, payload in payloads(game) if payload.proof)
    payload = Payload.from_value(game.signed[place].entry.payload)
    forged = game.resigned(place, payload=replace(payload, proof=payload.proof[:-32] + bytes(32)).to_value())
    before = [*game.entries[:place], forged]
    damaged = found(audit(game.having([*before, b"damaged"]), GROUP))
    assert (damaged.place, damaged.code, damaged.is_proven) == (place + 1, Flaw.UNREADABLE, False)
    proved = found(audit(game.having(before), GROUP))
    assert (proved.place, proved.code, proved.is_proven) == (place, FaultCode.FALSE_PROOF, True)


def test_something_else_than_the_result_signed_at_the_end_is_refused(game: Game) -> None:
    forged = game.resigned(len(game.entries) - 1, payload=Payload((Proves(),)).to_value())
    finding = found(audit(game.having([*game.entries[:-1], forged]), GROUP))
    assert (finding.place, finding.code) == (len(game.entries) - 1, FaultCode.FORBIDDEN)


def test_two_entries_with_one_number_prove_it_also_without_what_they_name(game: Game) -> None:
    place = 25
    second = game.resigned(place, payload=FREE.write(Says("or rather this")), step=None)
    flaw = first_flaw(game.having([game.entries[place], second]))
    assert flaw is not None
    author = game.signed[place].entry.author
    assert (flaw.place, flaw.code, flaw.seat) == (1, FaultCode.EQUIVOCATION, author)


def test_two_entries_with_one_number_prove_their_author_guilty(game: Game) -> None:
    place = 25
    author = game.signed[place].entry.author
    second = game.resigned(place, payload=FREE.write(Says("or rather this")), step=None)
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
    entry = replace(template, author=0, heads=heads, step=None, payload=FREE.write(Says("one more thing")))
    finding = found(audit(game.having([*game.entries, game.sign(0, entry)]), GROUP))
    assert (finding.place, finding.code, finding.seat) == (len(game.entries), Flaw.SURPLUS, 0)


# -- what people read


def test_names_can_not_steer_a_terminal() -> None:
    names = ["\x1b[2JRobin", "Mari\u202en", "John"]
    (session, *_) = open_table(Setup(players=3, short=SHORT_DECK), GROUP, Drbg("names"), names)
    session.advance()
    text = as_text(audit(record_of(session.table).to_bytes(), GROUP))
    assert "waits for seat 1 (Mari n)" in text
    assert all(line.isprintable() for line in text.splitlines())
