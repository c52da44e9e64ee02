"""Where our program and the second one, or one of them and the document, have come apart before they were mended."""

import json
from dataclasses import replace

from p2p_sheriff.audit import as_json, audit
from p2p_sheriff.rules import Choice, Claim, Edition, Handle, LoadBag, Move, Pack, Seat, Setup, View
from p2p_sheriff.rules.cards import LOOT
from p2p_sheriff.rules.moves import (
    Accept,
    Act,
    Apart,
    Declare,
    Gift,
    Inspect,
    KeepMan,
    LayDown,
    LayLaws,
    NameFirst,
    Offer,
    PayInKind,
    Reorder,
    SetAside,
    Split,
    Stance,
    TakeDiscards,
    Things,
    UseMan,
    Verb,
    Withdraw,
)
from p2p_sheriff.session.acts import Moves, Negotiates, Payload
from p2p_sheriff.session.record import record_of
from protocol.entry import SignedEntry
from tests.secrecy.test_modules import MEN, seated, stacked, with_laws
from tests.secrecy.twins import ANN, BEN, CAT, Table, deck_of, setup_for
from tests.table.departures import put_out
from tests.table.test_deputies import deputies, game, waits
from tests.table.test_second_verifier import SECOND, _said
from tests.table.test_several_parties import DAN, GROUP, INSPECT_DAN, B, C, an_offer, assert_audited, smugglers

EVE = Seat(4)


def five() -> Table:
    """Five players, and four bags that are closed."""
    setup = setup_for(players=5, short=(("apples", 40), ("cheese", 3), ("pepper", 4), ("mead", 3), ("silk", 4)))
    return Table(setup, deck_of(setup)).until_inspection({})


def say(table: Table, *moves: Offer | Withdraw) -> None:
    """Has somebody say what an own node would not."""
    for move in moves:
        table.sessions[move.seat]._speak(Negotiates(move))


def test_a_sheriff_who_has_accepted_two_deals_about_a_bag_has_accepted_both_and_closes_who_is_first() -> None:
    table = five()
    one = an_offer(table, BEN, Gift(BEN, ANN, Things(gold=5)), Gift(CAT, ANN, Things(gold=3)), acts=INSPECT_DAN)
    other = an_offer(table, CAT, Gift(CAT, ANN, Things(gold=5)), Gift(EVE, ANN, Things(gold=3)), acts=INSPECT_DAN)
    table.submit(one, other, Accept(ANN, *one.name), Accept(ANN, *other.name))
    assert [standing.accepted for standing in table.state.offers] == [(ANN,), (ANN,)]
    table.submit(Accept(CAT, *one.name))
    assert table.state.bag_of(DAN).fate is Verb.INSPECT
    assert_audited(table)


def test_the_last_bag_waits_for_the_sheriff_who_has_accepted_a_deal_that_another_has_not() -> None:
    table = smugglers()
    offer = an_offer(table, BEN, Gift(BEN, ANN, Things(gold=5)), Gift(CAT, ANN, Things(gold=3)), acts=INSPECT_DAN)
    table.submit(offer, Accept(ANN, *offer.name))
    assert table.state.bag_of(DAN).stances == ()
    assert table.sessions[CAT].play.hagglers == (ANN,)


def test_an_offer_of_more_cards_than_there_are_does_not_stand() -> None:
    table = five()
    cards = table.setup.cards
    most, too_many = (Gift(BEN, ANN, Things(stack=(("silk", count),))) for count in (cards, cards + 1))
    for gift, bag in ((most, CAT), (too_many, EVE)):
        say(table, an_offer(table, BEN, gift, acts=INSPECT_DAN))
        table.settle().passes(bag)
    assert [standing.offer.gifts for standing in table.state.offers] == [(most,)]
    assert_audited(table)


def test_a_withdrawal_is_for_the_parties_of_the_offer_that_stands_whatever_else_has_its_number() -> None:
    """CAT has not seen another offer with that number, of which CAT is a party: the withdrawal counts even so."""
    table = five()
    offer = an_offer(table, ANN, Gift(BEN, ANN, Things(gold=5)), acts=INSPECT_DAN)
    table.submit(offer)
    say(table, replace(offer, gifts=(Gift(CAT, ANN, Things(gold=5)),)), Withdraw(ANN, offer.number))
    table.settle_without(CAT)
    table.sessions[BEN].submit(an_offer(table, BEN, Gift(BEN, ANN, Things(gold=1)), acts=INSPECT_DAN))
    table.settle_without(CAT)
    table.sessions[ANN].submit(Inspect(ANN, EVE))
    table.settle_without(CAT)
    assert [standing.offer.seat for standing in table.state.offers] == [BEN]
    table.settle()
    assert_audited(table)


def test_what_was_done_with_the_bag_of_somebody_who_has_left_since_counts_for_duty() -> None:
    table = seated(with_laws(players=5), (), ("duty", "toll", "mercy"))
    table.settle().submit(LayLaws(ANN, table.state.drawn_laws[:2]))
    table.until_inspection({}).submit(Inspect(ANN, DAN))
    put_out(table.sessions, DAN)
    table.settle().passes(BEN, CAT, EVE)
    assert not table.state.closed_bags
    assert_audited(table)


def test_a_word_for_an_offer_that_its_author_replaces_lapses() -> None:
    net = game(acts=waits)
    officers = first, second = net.sessions[0].play.state.officers
    one, two, *_ = net.sessions[0].play.state.closed_bags
    offer = Offer(one, 0, officers, (Gift(one, LOOT, Things(gold=5)),), (Act(one, Verb.INSPECT),))
    words = Stance(first, two, Verb.PASS), replace(offer, number=1), Stance(first, one, Verb.PASS)
    for move in (offer, Accept(second, one, 0), *words):
        net.sessions[move.seat].submit(move)
        net.run()
    net.sessions[second]._speak(Negotiates(Apart(second, one)))
    net.run()
    net.sessions[first].submit(Stance(first, one, Verb.INSPECT))
    net.run()
    assert [standing.offer.number for standing in net.sessions[0].play.state.offers] == [1]
    assert_audited(net)


def test_a_split_is_the_same_in_whatever_order_it_names_cards() -> None:
    def split(view: View) -> Split:
        cards = view.state.loot.face_down[:2]
        return Split(11, cards if view.seat == deputies()[0] else cards[::-1])

    net = game(things=Things(gold=3, bag_blind=1), split=split)
    assert [len(net.sessions[0].play.state[seat].stack) for seat in deputies()] == [2, 2]
    assert_audited(net)


def test_who_pays_in_kind_with_what_can_not_lie_face_down_breaks_the_rules_whatever_the_proof() -> None:
    """BEN has given all gold away for what CAT has smuggled, and owes a fine for a lie."""
    table = five_with_a_liar()
    trade = an_offer(table, BEN, Gift(CAT, BEN, Things(stack_blind=2)), Gift(BEN, CAT, Things(gold=50)))
    table.submit(trade, Accept(CAT, *trade.name), Accept(ANN, *trade.name), Inspect(ANN, BEN))
    assert table.sessions[BEN].choice() is Choice.PAY_IN_KIND
    claims: tuple[Claim, ...] = tuple((handle, "apples") for handle in table.state[BEN].stack)
    assert judged(table, PayInKind(BEN, (), claims)) == ("fault", "FORBIDDEN", BEN)


def five_with_a_liar() -> Table:
    """CAT's bag has passed, with two cards of contraband; BEN's is a lie, without what it says."""
    setup = setup_for(players=5, short=(("apples", 40), ("cheese", 3), ("pepper", 4), ("mead", 3), ("silk", 4)))
    table = Table(setup, deck_of(setup, "", "silk, mead, pepper", "mead, silk"))
    return table.until_inspection({BEN: B[:3], CAT: C[:2]}).passes(CAT)


def judged(table: Table, move: Move) -> tuple[str, str, int]:
    """Returns what both programs say of a game whose last entry is this move, which an own node would not write."""
    here = table.sessions[move.seat].table
    entry = here._entry(Payload((Moves(move),), bytes(32)).to_value(), here.step)
    assert here._identity is not None
    forged = SignedEntry.sign(here._identity, entry).to_bytes()
    record = record_of(here)
    content = replace(record, entries=(*record.entries, forged)).to_bytes()
    ours = json.loads(as_json(audit(content, GROUP)))
    assert _said(SECOND.audit(content)) == _said(ours)
    return ours["verdict"], ours["fault"]["code"], ours["fault"]["seat"]


def test_a_hand_that_is_empty_is_not_laid_anew_when_what_was_to_come_into_it_is_not_handed_over() -> None:
    """BEN has loaded the whole hand; Will Stutely takes what DAN discarded, and DAN leaves instead of giving it."""
    setup = setup_for("merry-men", players=4, short=(("apples", 23), ("silk", 1)))
    table = with_a_man(BEN, "Will Stutely", setup, "", "", "", "silk")
    table.submit(NameFirst(ANN, BEN), SetAside(BEN, table.state[BEN].hand[:2]), SetAside(CAT, ()))
    table.submit(SetAside(DAN, table.state[DAN].hand[:1]))
    top = table.state.piles[0][-1]
    assert (len(table.state[BEN].hand), top.keeper, table.state.deck) == (4, DAN, 0)
    load(table, BEN, *table.state[BEN].hand, *table.state[BEN].men)
    table.passes(BEN).sessions[BEN].submit(UseMan(BEN, cards=(top.handle,)))
    table.settle_until(DAN, lambda play: play.passing is not None and play.passing.waiting == (DAN,))
    put_out(table.sessions, DAN)
    table.settle().submit(KeepMan(BEN, table.state[BEN].men[0])).passes(CAT)
    assert not table.state.closed_bags
    assert_audited(table)


def test_who_has_no_card_and_can_draw_none_is_not_asked_about_refilling_the_hand() -> None:
    """David of Doncaster gets in with all that CAT has left; the deck is used up, and five lie on each pile."""
    setup = setup_for("merry-men", short=(("apples", 27), ("silk", 1)), edition=Edition.FIRST)
    table = with_a_man(CAT, "David of Doncaster", setup, "silk")
    table.submit(SetAside(BEN, ()), SetAside(CAT, ()))
    load(table, CAT, *table.state[CAT].hand[:5])
    table.passes(BEN, CAT).submit(SetAside(CAT, ()), TakeDiscards(CAT, (0, 0)), SetAside(ANN, ()))
    load(table, CAT, *table.state[CAT].hand, *table.state[CAT].men)
    table.passes(CAT)
    assert (table.state[CAT].hand, table.state.deck, [*map(len, table.state.piles)]) == ((), 0, [5, 5])
    table.submit(KeepMan(CAT, table.state[CAT].men[0]))
    assert_audited(table)


def test_wat_the_tinker_takes_what_the_sheriff_has_laid_down() -> None:
    setup = setup_for("merry-men", short=(("apples", 36), ("silk", 1)), edition=Edition.FIRST)
    table = with_a_man(BEN, "Wat the tinker", setup, "", "", "silk")
    table.submit(SetAside(BEN, ()), SetAside(CAT, ()))
    load(table, BEN, table.state[BEN].hand[0], *table.state[BEN].men, of_others=table.handles(CAT, C[0]))
    table.submit(Inspect(ANN, CAT))
    (silk,) = table.state.bag_of(CAT).shown
    table.submit(LayDown(ANN, 1, (silk.handle,))).passes(BEN).submit(UseMan(BEN, cards=(silk.handle,)))
    assert len(table.state[BEN].stack) == 1
    table.submit(KeepMan(BEN, table.state[BEN].men[0]))
    assert_audited(table)


def test_what_a_sheriff_who_left_has_not_laid_down_stays_in_the_bag_until_the_deck_is_dealt_anew() -> None:
    setup = setup_for(players=4, short=(("apples", 40), ("silk", 1)), edition=Edition.FIRST)
    setup = replace(setup, candidates=(BEN,))
    table = Table(setup, deck_of(setup, "", "", "silk")).submit(*(SetAside(seat, ()) for seat in (CAT, DAN, ANN)))
    load(table, CAT, *table.handles(CAT, C[0]))
    table.submit(Inspect(BEN, CAT))
    put_out(table.sessions, BEN)
    assert [card.kind for card in table.state.bag_of(CAT).shown] == ["silk"]
    table.settle_without(BEN)
    assert [card.kind for card in table.state.piles[0][-1:]] == ["silk"]
    assert_audited(table)


def test_wat_the_tinker_takes_a_banned_good_face_down() -> None:
    setup = setup_for("laws", "merry-men", short=(("apples", 15), ("cheese", 1), ("chicken", 1), ("silk", 1)))
    table = with_a_man(BEN, "Wat the tinker", setup, "chicken, silk", "", "cheese")
    table.submit(LayLaws(ANN, table.state.drawn_laws[:2])).market()
    load(table, BEN, table.state[BEN].hand[0], *table.state[BEN].men, of_others=table.handles(CAT, C[0]))
    table.submit(Inspect(ANN, CAT))
    (cheese,) = table.state.piles[0]
    table.passes(BEN).submit(UseMan(BEN, cards=(cheese.handle,)))
    assert (len(table.state[BEN].stack), table.state[BEN].unlawful) == (1, ("cheese",))
    table.submit(KeepMan(BEN, table.state[BEN].men[0]))
    assert_audited(table)


def test_gandelyn_looks_at_as_many_cards_as_the_deck_had_also_if_it_is_dealt_anew_before_they_are_seen() -> None:
    setup = setup_for("merry-men", players=4, short=(("apples", 24), ("silk", 1)))
    table = with_a_man(BEN, "Gandelyn", setup, "", "", "", "silk").market()
    load(table, BEN, table.state[BEN].hand[0], *table.state[BEN].men)
    table.passes(BEN).sessions[BEN].submit(UseMan(BEN))
    table.settle_until(DAN, lambda play: play.passing is not None and play.passing.waiting[:1] == (DAN,))
    put_out(table.sessions, DAN)
    table.settle()
    assert (len(table.state[BEN].peeked), table.state.deck) == (1, 6)
    table.submit(Reorder(BEN, table.state[BEN].peeked)).submit(KeepMan(BEN, table.state[BEN].men[0]))
    assert_audited(table)


def with_a_man(seat: Seat, man: str, setup: Setup, *hands: str) -> Table:
    """Everybody keeps a merry man, and this seat this one; of laws, if there are any, the first one bans cheese."""
    table = stacked(Table(setup, deck_of(setup, *hands)), Pack.MERRY_MEN, (*MEN[: 2 * seat], man))
    table = stacked(table, Pack.LAWS, ("cheese ban", "toll")) if Pack.LAWS in setup.packs else table
    table.settle()
    kinds = table.view(seat).knowledge.kinds
    for other in setup.seats:
        men = table.state[other].men
        table.submit(KeepMan(other, next(one for one in men if other != seat or kinds[one] == man)))
    return table


def load(table: Table, seat: Seat, *bag: Handle, of_others: tuple[Handle, ...] = ()) -> None:
    """This merchant loads these cards, the others one each, or these; all declare as many apples."""
    table.settle()
    for merchant in table.state.merchants:
        others = of_others or table.state[merchant].hand[:1]
        table.sessions[merchant].submit(LoadBag(merchant, bag if merchant == seat else others))
    for merchant in table.settle().state.merchants:
        table.submit(Declare(merchant, len(bag) if merchant == seat else 1, "apples"))
