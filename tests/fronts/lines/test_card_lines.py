"""Laws, special orders and merry men in lines of text: asked, answered by what is typed, and hidden from the others."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import count, product
from random import Random

import pytest

from p2p_sheriff.fronts.lines.linefront import LineFront
from p2p_sheriff.fronts.lines.tableau import Tableau
from p2p_sheriff.fronts.lines.understanding import NotUnderstood, understand
from p2p_sheriff.rules import Choice, Edition, LoadBag, Move, Phase, Seat, Setup, Transition, View, new_game
from p2p_sheriff.rules.bounds import DiscardBounds
from p2p_sheriff.rules.law import bag_limits, declarable_kinds
from p2p_sheriff.rules.legal import legal_moves
from p2p_sheriff.rules.modules.law_cards import LAWS
from p2p_sheriff.rules.modules.merry_cards import MEN
from p2p_sheriff.rules.modules.packs import cards_of
from p2p_sheriff.rules.moves import Declare, Discard, FillOrders, KeepMan, LayLaws, LayOut, UseMan
from p2p_sheriff.seat.picture import Picture
from p2p_sheriff.seat.printed import law_text, man_name, man_text
from p2p_sheriff.seat.stakes import in_words, stakes
from p2p_sheriff.seat.story import happened
from p2p_sheriff.seat.ways import LISTED, ways
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts import ENGLISH, LANGUAGES, Texts
from tests.dealt import MODULES, asked_for, games
from tests.fronts.lines.test_linefront import Typist

NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eve", "Finn")
ERRANDS = sorted(set(MEN) - {"Friar Tuck"})  # He is asked for a card at once.

languages = pytest.mark.parametrize("language", LANGUAGES)


class Player:
    """Plays a seat at a front of lines, which is shown pictures, by typing one of the ways that it lists."""

    def __init__(self, setup: Setup, seed: int) -> None:
        self.told: list[str] = []
        self.typist, self.rng, self.loop = Typist(), Random(seed), asyncio.new_event_loop()
        seconds = count(0, 100)
        self.front = LineFront(self.typist, ENGLISH, self.told.append, clock=lambda: float(next(seconds)))
        begin = new_game(setup)
        self.picture = Picture(NAMES[: setup.players], Words(), told=begin, rematch=True, game=b"a game")
        self.answered = Counter[Choice]()

    def tell(self, changes: Sequence[Transition]) -> None:
        self.picture = replace(happened(self.picture, *changes), reveals=(), choice=None)

    def answer(self, view: View, choice: Choice) -> Move | LoadBag | None:
        line = self.line(view, choice)
        if not line:
            return None
        self.picture = replace(self.picture.drawing(view), choice=choice)
        self.front.show(self.picture)
        self.typist.lines.put_nowait(line)
        self.answered[choice] += 1
        intent = self.loop.run_until_complete(self.front.wish())
        assert isinstance(intent, Move | LoadBag)
        return intent

    def line(self, view: View, choice: Choice) -> str:
        rng, hand = self.rng, len(view.me.hand)
        if choice in LISTED:
            return str(rng.randint(1, len(ways(view, choice, ENGLISH, lambda seat: NAMES[seat]))))
        match choice:
            case Choice.DISCARD:
                (bounds,) = (one for one in legal_moves(view.state, view.seat) if isinstance(one, DiscardBounds))
                given = " ".join(str(place) for place in rng.sample(range(1, hand + 1), bounds.count))
                if bounds.taken is None:
                    return f"discard {given}"
                kinds = Counter(view.state.kinds[one] for one in rng.sample(bounds.taken, bounds.count))
                return f"swap {given} for {ENGLISH.goods(kinds.items())}"
            case Choice.LOAD:
                least, most = bag_limits(view.state, view.seat)
                size = rng.randint(least, min(most, hand))
                man = f" {hand + 1}" if view.me.men and size < most else ""
                return "load " + " ".join(str(place) for place in rng.sample(range(1, hand + 1), size)) + man
            case Choice.DECLARE:
                return f"declare {rng.choice(declarable_kinds(view.state))}"
            case _:
                return ""


def test_whole_games_with_all_modules_are_played_by_typing_what_is_listed() -> None:
    answered = Counter[Choice]()
    for players, edition in product((3, 4, 5, 6), Edition):
        setup = Setup(players, edition, frozenset({"orders", "laws", "merry-men"}))
        player = Player(setup, players)
        *_, (dealer, _) = games(setup, players, player.answer, player.tell)
        assert dealer.state.phase is Phase.OVER
        assert not any("{" in line for line in player.told)
        answered += player.answered
        player.loop.close()
    assert {Choice.LAY_LAWS, Choice.KEEP_MAN, Choice.SEND, Choice.LOAD, Choice.DECLARE} <= set(answered)


# -- what can be typed


def test_every_way_of_the_list_is_typed_by_its_number_and_another_number_is_refused() -> None:
    for choice in LISTED:
        view = asked_for(choice)
        listed = ways(view, choice, ENGLISH, lambda seat: NAMES[seat])
        assert len(listed) > 1
        for place, way in enumerate(listed, start=1):
            assert understand(view, NAMES, choice, str(place)) == way.move
            assert understand(view, NAMES, choice, f"pick {place}") == way.move
            assert f"{place} = {way.outcome}" in Tableau(NAMES).prompt(view, choice)
        for wrong in ("0", str(len(listed) + 1), "pick", "pick apples"):
            with pytest.raises(NotUnderstood, match=r"1 to|number"):
                understand(view, NAMES, choice, wrong)


def test_players_of_the_same_name_are_told_apart() -> None:
    for man in ("Robin Hood", "Little John", "Will Scarlet"):
        view = asked_for(Choice.SEND, man=man)
        named = ways(view, Choice.SEND, ENGLISH, lambda seat: NAMES[seat])
        alike = ways(view, Choice.SEND, ENGLISH, lambda _: "Kim")
        assert [way.move for way in alike] == [way.move for way in named]
        assert len({way.outcome for way in alike}) == len(alike)


def test_no_card_and_no_order_can_be_typed_as_no() -> None:
    view = asked_for(Choice.LAY_OUT)
    assert understand(view, NAMES, Choice.LAY_OUT, "no") == LayOut(view.seat)
    view = asked_for(Choice.FILL_ORDERS)
    assert understand(view, NAMES, Choice.FILL_ORDERS, "no") == FillOrders(view.seat)


def test_cards_are_discarded_by_number_and_swapped_for_goods_that_lie_there() -> None:
    view = asked_for(Choice.DISCARD)
    discarded = understand(view, NAMES, Choice.DISCARD, "discard 1 2")
    assert isinstance(discarded, Discard)
    assert len(discarded.cards) == 2
    view = asked_for(Choice.DISCARD, swap=True)
    there = view.state.piles[0][-1].kind
    swapped = understand(view, NAMES, Choice.DISCARD, f"swap 1 2 for 1 {there}")
    assert isinstance(swapped, Discard)
    assert [view.state.kinds[handle] for handle in swapped.taken] == [there]
    assert understand(view, NAMES, Choice.DISCARD, "keep") == Discard(view.seat)
    with pytest.raises(NotUnderstood, match="not so many"):
        understand(view, NAMES, Choice.DISCARD, "swap 1 2 for 99 apples")
    for unfinished in ("swap 1 2", "discard 1 2"):
        with pytest.raises(NotUnderstood, match="for which discards"):
            understand(view, NAMES, Choice.DISCARD, unfinished)


def test_the_own_merry_man_has_the_number_after_the_hand_and_goes_into_the_bag() -> None:
    view = asked_for(Choice.LOAD)
    place = len(view.me.hand) + 1
    assert view.man is not None
    assert any(f"{place} = {man_name(ENGLISH, view.man)}" in line for line in Tableau(NAMES).hand(view))
    loaded = understand(view, NAMES, Choice.LOAD, f"load 1 2 {place}")
    assert isinstance(loaded, LoadBag)
    assert loaded.handles[-1:] == view.me.men
    inside = View(view.state, replace(view.knowledge, bag=loaded.handles))
    told = Tableau(NAMES).hand(inside)
    assert any(line.startswith("In your bag: ") and man_name(ENGLISH, view.man) in line for line in told)
    declared = understand(inside, NAMES, Choice.DECLARE, "declare apples")
    assert declared == Declare(view.seat, 3, "apples")


# -- what is told


@languages
def test_every_question_of_a_module_can_be_read_in_every_language(language: str) -> None:
    texts = Texts.of(language)
    for choice in (*LISTED, Choice.DISCARD):
        lines = Tableau(NAMES, texts).prompt(asked_for(choice), choice)
        assert len(lines) > 3
        assert not [line for line in lines if "{" in line or "  " in line]


@pytest.mark.parametrize("man", ERRANDS)
def test_a_merry_man_who_got_in_says_what_he_does_and_lists_every_errand(man: str) -> None:
    view = asked_for(Choice.SEND, man=man)
    lines = Tableau(NAMES).prompt(view, Choice.SEND)
    assert any(man_text(ENGLISH, man, view.state) in line for line in lines)
    uses = [way.move for way in ways(view, Choice.SEND, ENGLISH, lambda seat: NAMES[seat])]
    assert {move.use for move in uses if isinstance(move, UseMan)} == {True, False}


@languages
def test_every_law_and_every_merry_man_is_explained_by_cards_in_every_language(language: str) -> None:
    texts = Texts.of(language)
    view = asked_for(Choice.LOAD)
    told = "\n".join(Tableau(NAMES, texts).about(view, None, "cards"))
    assert "{" not in told
    for pack in MODULES.packs:
        for name in cards_of(MODULES, pack):
            assert name not in LAWS or law_text(texts, name, MODULES) in told
            assert name not in MEN or man_text(texts, name, MODULES) in told
    assert len({man_text(texts, man, MODULES) for man in MEN}) == len(MEN)
    assert len({law_text(texts, law, MODULES) for law in LAWS}) == len(LAWS)


@pytest.mark.parametrize(
    ("language", "sheriff"), [("en", "sheriff"), ("es", "sheriff"), ("pl", "szeryf"), ("pt", "xerife"), ("uk", "шериф")]
)
def test_r10_7_where_deputies_act_no_law_and_no_merry_man_speaks_of_a_sheriff(language: str, sheriff: str) -> None:
    texts = Texts.of(language)
    for players, is_told in ((4, True), (6, False)):
        state = new_game(replace(MODULES, players=players))
        for table in (state, state.setup):
            laws, men = (law_text(texts, law, table) for law in LAWS), (man_text(texts, man, table) for man in MEN)
            assert (sheriff in " ".join((*laws, *men)).lower()) is is_told
    state = new_game(replace(MODULES, players=6))
    five = state.with_player(state.seats[0], out=True)
    assert law_text(texts, "duty", five) == law_text(texts, "duty", MODULES)


def test_r10_1_where_deputies_act_no_question_and_no_stake_speaks_of_a_sheriff() -> None:
    tableau, asked, words = Tableau(NAMES), set[Choice](), Words()
    for dealer, choose in games(Setup(6), 1):
        view = dealer.view(choose.seat)
        asked.add(choose.choice)
        lines = [*tableau.prompt(view, choose.choice), tableau.stakes(view)]
        if dealer.state.closed_bags:
            lines += tableau.haggling(dealer.view(dealer.state.closed_bags[0]), 30)
        if view.hand:
            honest = [view.hand[0].kind]
            lines.append(in_words(words, view, stakes(view, honest, honest[0])))
        assert "sheriff" not in " ".join(lines).lower()
    assert {Choice.LOAD, Choice.DECLARE, Choice.ACT} <= asked


def test_laws_in_force_are_told_where_they_bind() -> None:
    view = asked_for(Choice.LOAD)
    assert view.state.laws
    for lines in (Tableau(NAMES).prompt(view, Choice.LOAD), Tableau(NAMES).table(view)):
        assert all(any(law_text(ENGLISH, law, view.state) in line for line in lines) for law in view.state.laws)


# -- what is hidden


def test_drawn_laws_and_merry_men_are_told_to_their_owner_alone() -> None:
    hidden = 0
    for dealer, asked in games(MODULES, 1):
        if asked.choice not in (Choice.LAY_LAWS, Choice.KEEP_MAN):
            continue
        hidden += 1
        own = dealer.view(asked.seat).knowledge.kinds
        handles = dealer.state.drawn_laws if asked.choice is Choice.LAY_LAWS else dealer.state[asked.seat].men
        names = [ENGLISH(f"laws.{own[one]}" if own[one] in LAWS else f"men.{own[one]}") for one in handles]
        tableau = Tableau(NAMES)
        assert all(name in "\n".join(tableau.prompt(dealer.view(asked.seat), asked.choice)) for name in names)
        for seat in (one for one in dealer.state.seats if one not in (asked.seat, *dealer.state.officers)):
            view = dealer.view(seat)
            told = "\n".join([*tableau.table(view), *tableau.hand(view)])
            mine = {man_name(ENGLISH, kind) for kind in view.knowledge.kinds.values() if kind in MEN}
            in_force = {ENGLISH(f"laws.{law}") for law in dealer.state.laws}
            assert not [name for name in names if name in told and name not in mine | in_force]
    assert hidden > 10


def test_what_a_look_has_shown_is_told_once_to_who_looked() -> None:
    view = asked_for(Choice.SEND, man="Will Scarlet")
    picture = Picture(NAMES[:4], Words(), told=view.state).drawing(view)
    seen = View(view.state, replace(view.knowledge, looked=((Seat(1), "silk"),)))
    after = picture.drawing(seen)
    assert [line.text for line in after.told_since(picture)] == ["Only you see it: Ben has face down: silk."]
    assert after.drawing(seen).logged == after.logged
    assert any("Ben has face down: silk" in line for line in Tableau(NAMES).table(seen))


def test_both_deputies_are_told_which_laws_were_drawn_and_nobody_else() -> None:
    setup = Setup(6, options=MODULES.options)
    dealer = next(dealer for dealer, asked in games(setup, 1) if asked.choice is Choice.LAY_LAWS)
    told = {}
    for seat in dealer.state.seats:
        earlier = View(dealer.state.but(drawn_laws=()), dealer.knowledge(seat))
        before = Picture(NAMES, Words(), told=dealer.state).drawing(earlier)
        told[seat] = [line.text for line in before.drawing(dealer.view(seat)).told_since(before)]
    assert len(dealer.state.officers) == 2
    for seat, lines in told.items():
        assert len(lines) == (1 if seat in dealer.state.officers else 0)
    first, second = (told[seat][0] for seat in dealer.state.officers)
    assert first == second
    assert first.startswith("Only who is in office sees it: ")


def test_listed_ways_are_what_the_rules_allow() -> None:
    view = asked_for(Choice.LAY_LAWS)
    moves = [way.move for way in ways(view, Choice.LAY_LAWS, ENGLISH, str)]
    assert moves == [move for move in legal_moves(view.state, view.seat) if isinstance(move, LayLaws)]
    view = asked_for(Choice.KEEP_MAN)
    moves = [way.move for way in ways(view, Choice.KEEP_MAN, ENGLISH, str)]
    assert moves == [move for move in legal_moves(view.state, view.seat) if isinstance(move, KeepMan)]
