from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_sheriff.lab.simnet import open_table
from p2p_sheriff.rules import Setup
from p2p_sheriff.session.acts import FREE, Says
from p2p_sheriff.session.record import MAX_RECORD_BYTES, NotARecordError, Record, record_of
from protocol.budget import CHAIN_ENTRIES
from protocol.entry import MAX_ENTRY_BYTES
from protocol.errors import LocalError, MalformedError
from tests.drbg import Drbg
from tests.table.games import SHORT_DECK
from tests.table.transcripts import GROUP, finished_game


def test_every_node_of_a_finished_game_writes_the_same_file() -> None:
    game = finished_game()
    (content,) = {record_of(session.table).to_bytes() for session in game.sessions}
    assert content == game.record.to_bytes()


def test_a_file_read_back_is_the_record() -> None:
    record = finished_game().record
    assert Record.from_bytes(GROUP, record.to_bytes()) == record


def test_the_entries_are_all_that_were_written_in_the_canonical_order() -> None:
    game = finished_game()
    in_order = [signed.to_bytes() for signed in game.sessions[1].table.transcript.in_order()]
    assert list(game.record.entries) == in_order


def test_words_after_the_end_of_the_game_are_not_recorded_whoever_heard_them() -> None:
    game = finished_game()
    tables = [game.before_the_seals(seat) for seat in range(3)]
    for author in tables:
        data = game.seal(author)
        for table in tables:
            if table is not author:
                table.receive(data)
    records = {record_of(table).to_bytes() for table in tables}
    data, _ = tables[0].write(FREE.write(Says("well played")), free=True)
    tables[1].receive(data)
    assert len(records) == 1
    assert {record_of(table).to_bytes() for table in tables} == records


def test_words_between_two_signatures_of_the_result_are_recorded_if_the_later_one_has_seen_them() -> None:
    game = finished_game()
    tables = [game.before_the_seals(seat) for seat in range(3)]
    words = FREE.write(Says("well played"))
    sent = [game.seal(tables[0]), tables[0].write(words, free=True)[0], game.seal(tables[1])]
    for data in sent:
        tables[2].receive(data)
    sent.append(game.seal(tables[2]))
    for table in tables[:2]:
        for data in sent:
            table.receive(data)
    records = [record_of(table) for table in tables]
    assert records[0] == records[1] == records[2]
    assert sent[1] in records[0].entries


def test_the_record_of_an_unfinished_game_has_everything_so_far() -> None:
    (session, *_) = open_table(Setup(players=3, short=SHORT_DECK), GROUP, Drbg("unfinished"))
    session.say("hello")
    session.advance()
    assert record_of(session.table).entries == tuple(session.outbox)


@pytest.mark.parametrize("content", [b"", b"sherif", b"PK\x03\x04 something else", b"\x7fELF"])
def test_another_file_is_refused(content: bytes) -> None:
    with pytest.raises(NotARecordError, match=r"record\.not_a_transcript"):
        Record.from_bytes(GROUP, content)


def test_a_transcript_of_another_version_is_refused() -> None:
    content = finished_game().record.to_bytes()
    with pytest.raises(NotARecordError, match=r"record\.version"):
        Record.from_bytes(GROUP, content[:7] + b"\x02" + content[8:])


def test_a_file_longer_than_any_transcript_is_refused() -> None:
    content = finished_game().record.to_bytes()
    with pytest.raises(NotARecordError, match=r"record\.longer"):
        Record.from_bytes(GROUP, content.ljust(MAX_RECORD_BYTES + 1, b"\0"))


def test_a_record_longer_than_can_be_read_back_is_not_made() -> None:
    with pytest.raises(LocalError, match="at most"):
        replace(finished_game().record, entries=(bytes(1 << 20),) * 64)


@pytest.mark.parametrize("length", [8, 11, 12, 100])
def test_a_file_cut_off_in_its_charter_has_none(length: int) -> None:
    with pytest.raises(MalformedError, match="charter"):
        Record.from_bytes(GROUP, finished_game().record.to_bytes()[:length])


@pytest.mark.parametrize("cut", [1, 3, 4, 5, 100])
def test_a_file_cut_off_in_its_last_entries_has_the_others(cut: int) -> None:
    whole = finished_game().record
    content = replace(whole, entries=whole.entries[:10]).to_bytes()
    last = len(whole.entries[9])
    record = Record.from_bytes(GROUP, content[: len(content) - last - 4 + cut])
    assert record.entries == whole.entries[:9]
    assert len(record.rest) == cut
    assert record.is_cut_off


def test_a_whole_file_is_not_cut_off() -> None:
    assert not finished_game().record.is_cut_off


def test_a_frame_longer_than_any_entry_is_no_entry_and_no_cut() -> None:
    whole = finished_game().record
    rest = (MAX_ENTRY_BYTES + 1).to_bytes(4) + bytes(MAX_ENTRY_BYTES + 1)
    record = Record.from_bytes(GROUP, replace(whole, rest=rest).to_bytes())
    assert (record.entries, record.rest) == (whole.entries, rest)
    assert not record.is_cut_off


@given(start=st.integers(0, 4000), length=st.integers(0, 40), other=st.binary(max_size=40))
def test_whatever_can_be_read_is_written_back_byte_for_byte(start: int, length: int, other: bytes) -> None:
    content = finished_game().record.to_bytes()
    changed = content[:start] + other + content[start + length :]
    try:
        record = Record.from_bytes(GROUP, changed)
    except MalformedError:
        return
    assert record.to_bytes() == changed


def test_more_entries_than_any_game_has_are_refused_long_before_the_last_one_is_read() -> None:
    """13 million tiny ones would fit into 64 MB."""
    game = finished_game()
    most = len(game.charter.players) * (CHAIN_ENTRIES + 2)
    opening = game.having([])
    with pytest.raises(NotARecordError, match=r"record\.more_entries"):
        Record.from_bytes(GROUP, opening + b"\0\0\0\1x" * (most + 1))
    assert len(Record.from_bytes(GROUP, opening + b"\0\0\0\1x" * most).entries) == most
