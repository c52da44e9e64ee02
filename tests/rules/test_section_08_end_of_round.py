from p2p_sheriff.rules import Choice, Phase
from p2p_sheriff.rules.facts import Drawn
from p2p_sheriff.rules.moves import Verb
from tests.rules.notation import ANN, BEN, CAT, DAN
from tests.rules.scenario import Scenario
from tests.rules.situations import at_inspection


def inspected_all(game: Scenario) -> Scenario:
    """Let all bags pass; return the game after the round, with only the inputs since then in its log."""
    while len(game.state.closed_bags) > 1:
        game.passes(game.state.closed_bags[0])
    game.log.clear()
    return game.passes(game.state.closed_bags[0])


def test_r8_1_hands_are_refilled_from_the_old_sheriffs_left() -> None:
    game = at_inspection({BEN: ("2 apples", "apples")}, sheriff=CAT).shorten_hand(CAT, 5)
    inspected_all(game)
    assert [drawn.seat for drawn in game.seen(Drawn)] == [DAN, ANN, BEN, CAT]
    assert [len(player.hand) for player in game.state.players] == [6, 6, 6, 6]


def test_r8_1_the_badge_moves_before_the_hands_are_refilled() -> None:
    game = inspected_all(at_inspection({}))
    first_draw = next(state for state, item in game.log if isinstance(item, Drawn))
    assert first_draw.officers == (BEN,)
    assert first_draw.phase is Phase.END_OF_ROUND


def test_r8_1_after_the_last_round_nobody_draws() -> None:
    game = inspected_all(at_inspection({}).in_the_last_round())
    assert game.seen(Drawn) == []
    assert game.state.phase is Phase.OVER


def test_r8_1_the_loot_is_split_at_the_end_of_the_inspect_phase() -> None:
    game = at_inspection({}, 6)
    game.deal(CAT, "pass 2", gold=12)
    for bag in game.state.closed_bags:
        assert game.choices() == {(ANN, Choice.ACT), (BEN, Choice.ACT)}
        game.together(bag, Verb.PASS)
    assert game.choices() == {(ANN, Choice.SHARE_LOOT)}
    assert game.state.phase is Phase.INSPECT


def test_r8_1_bags_are_empty_when_the_next_round_begins() -> None:
    game = inspected_all(at_inspection({}))
    assert game.state.round == 2
    assert [player.bag for player in game.state.players] == [None] * 4
