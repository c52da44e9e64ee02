"""One-line mutants of the engine: each breaks one rule, and exactly the tests that are named after that rule must fail.

`python -m tests.rules.mutants` runs them all and prints what each one broke; `python -m tests.rules.mutants 7.5` runs
those of one rule. The tests run some of them, and a soak all.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT = Path(__file__).parents[2]
PROCESSES = 2


@dataclass(frozen=True)
class Mutant:
    """One line of the engine, and what it becomes."""

    rule: str
    """Its number; or which card of a module it is, as "law toll"."""
    file: str
    """In p2p_sheriff/rules."""
    old: str
    new: str
    told_with: tuple[str, ...] = ()
    """The rules whose tests are told with this card, and may fail along with its own."""

    def own(self, test: str) -> bool:
        """Whether a test is named after the rule, or the card of a module, that this mutant breaks."""
        return test.startswith(_prefix(self.rule))


def _prefix(rule: str) -> str:
    return f"test_{rule.replace(' ', '_')}_" if rule[0].isalpha() else f"test_r{rule.replace('.', '_')}_"


MUTANTS = (
    Mutant(
        "1.1",
        "goods.py",
        '("crossbow", Side.CONTRABAND, 5, 5, 9, 4, None)',
        '("crossbow", Side.CONTRABAND, 5, 5, 9, 5, None)',
    ),
    Mutant("1.2", "deck.py", "if len(set(handles)) != len(handles) or any(", "if any("),
    Mutant("1.3", "deals.py", "min(things.gold, things.stack_blind,", "min(things.stack_blind,"),
    Mutant("2.1", "setup.py", "if not 3 <= self.players <= 6:", "if not 3 <= self.players <= 7:"),
    Mutant("2.2", "goods.py", "STARTING_GOLD = 50", "STARTING_GOLD = 40"),
    Mutant("2.3", "deck.py", "deck=fact.cards - state.setup.missing", "deck=fact.cards - state.setup.missing - 1"),
    Mutant(
        "2.4",
        "deck.py",
        "(tuple(cards[:TURNED_UP]), tuple(cards[TURNED_UP:]))",
        "(tuple(cards[TURNED_UP:]), tuple(cards[:TURNED_UP]))",
    ),
    Mutant("2.5", "setup.py", "most = max((purse", "most = min((purse"),
    Mutant("3.1", "turns.py", "if state.phase is not phase:", "if state.phase is Phase.OVER:"),
    Mutant("3.2", "turns.py", "if seat in state.officers:", "if seat not in state.seats:"),
    Mutant("3.3", "setup.py", "{3: 3, 4: 2, 5: 2, 6: 3}", "{3: 4, 4: 2, 5: 2, 6: 3}"),
    Mutant("4.1", "market.py", "if move.merchant not in state.merchants:", "if move.merchant not in state.seats:"),
    Mutant("4.2", "market.py", "    for seat in state.merchants:", "    for seat in state.merchants[:-1]:"),
    Mutant(
        "4.3",
        "market.py",
        "with_player(step.seat, aside=move.handles)",
        "with_player(step.seat, aside=move.handles[::-1])",
    ),
    Mutant("4.4", "market.py", "return full_hand(state) - len(state[seat].hand)", "return len(state[seat].aside)"),
    Mutant("5.1", "bags.py", "if not least <= len(handles) <= most:", "if not len(handles) <= most:"),
    Mutant("5.2", "bags.py", "for seat in state.merchants if state[seat].hand)", "for seat in state.merchants)"),
    Mutant(
        "6.1", "bags.py", "if state.todo[0] != AskDeclare(move.seat):", "if AskDeclare(move.seat) not in state.todo:"
    ),
    Mutant(
        "6.2",
        "bags.py",
        "if len(handles) != state.bag_of(fact.seat).count:",
        "if len(handles) > (state.bag_of(fact.seat).count or 0):",
    ),
    Mutant(
        "7.1",
        "inspection.py",
        '    if seat not in state.officers:\n        raise NotAllowed("7.1"',
        '    if seat not in state.seats:\n        raise NotAllowed("7.1"',
    ),
    Mutant(
        "7.2", "verdicts.py", ".but(acts=(*state.acts, verb)).with_offers(offers)", ".but(acts=(*state.acts, verb))"
    ),
    Mutant("7.4", "deals.py", "len(sureties) > 1 or ", ""),
    Mutant("7.4", "deals.py", "is_gold and looks and surety", "is_gold and surety"),
    Mutant("7.4", "deals.py", " and not (offer.gifts and offer.acts)", " and not offer.acts"),
    Mutant(
        "7.3",
        "deals.py",
        "if sum(things.gold for things in gifts) > player.gold:",
        "if sum(things.gold for things in gifts) > player.gold + (player.gold > 9):",
    ),
    Mutant("7.5", "deals.py", "sum(things.stack_blind for things in gifts)", "max(one.stack_blind for one in gifts)"),
    Mutant("7.5", "deals.py", "gift.things.stall, given)", "gift.things.stall)"),
    Mutant("7.5", "gifts.py", "if handle in step.among)", ")"),
    Mutant("16.4", "verdicts.py", "is_true = bag.man is None and all(", "is_true = all("),
    Mutant("10.4", "deals.py", "if not offer.acts and offer.officers != state.officers:", "if False:"),
    Mutant("19.4", "leaving.py", " | steps.PaySurety():", ":"),
    Mutant("7.4", "deals.py", "if subject_of(standing.offer) != subject_of(move))", "if standing.offer != move)"),
    Mutant(
        "7.5",
        "deals.py",
        "    for act in offer.acts:\n        state = decided",
        "    for act in reversed(offer.acts):\n        state = decided",
    ),
    Mutant("7.6", "deals.py", "offer.acts == (Act(bag, Verb.PASS),)", "Act(bag, Verb.PASS) in offer.acts"),
    Mutant("7.7", "gifts.py", "if len(move.handles) != step.count:", "if len(move.handles) > step.count:"),
    Mutant("7.8", "gifts.py", "if rest and denied else ()", "if rest and not denied else ()"),
    Mutant("7.10", "verdicts.py", "    if rest:\n", "    if rest and denied:\n"),
    Mutant(
        "7.11",
        "verdicts.py",
        "if sorted(checked_handles(fact, step.seat, handles)) != list(handles):",
        "if not checked_handles(fact, step.seat, handles):",
    ),
    Mutant(
        "7.13",
        "verdicts.py",
        "if state.setup.two_piles and step.officers and confiscated:",
        "if len(step.officers) > 2:",
    ),
    Mutant("7.14", "debts.py", "if sum(values) < step.amount and not everything:", "if not values and not everything:"),
    Mutant(
        "7.15",
        "debts.py",
        "    if sum(values) - min(values) >= step.amount:\n        raise",
        "    if sum(values) - min(values) > step.amount:\n        raise",
    ),
    Mutant("7.16", "modules/errands.py", "min(gold, state[payer].gold)", "gold"),
    Mutant(
        "8.1",
        "rounds.py",
        "(CheckEnd(), TakeOffice(), DealHands(order),",
        "(CheckEnd(), DealHands(order), TakeOffice(),",
    ),
    Mutant(
        "9.1",
        "deck.py",
        "left = tuple(pile[-TURNED_UP:] for pile in state.piles)",
        "left = tuple(pile[:0] for pile in state.piles)",
    ),
    Mutant("9.2", "deck.py", "count = min(need, deck)", "count = need if need <= deck else 0"),
    Mutant("10.1", "rounds.py", "cards * (cards - 1))", "cards * cards)"),
    Mutant("10.2", "market.py", "if move.seat not in state.officers[:1]:", "if move.seat not in state.officers:"),
    Mutant("10.3", "verdicts.py", "(odd if index == 0 else 0)", "(odd if index == 1 else 0)"),
    Mutant("10.4", "deals.py", "if before is not None and before.price is not None:", "if False:"),
    Mutant("10.5", "loot.py", "bank=state.bank + odd", "bank=state.bank"),
    Mutant("10.6", "loot.py", "len(state.loot.face_down) > 1", "len(state.loot.face_down) > 2"),
    Mutant("10.7", "modules/laws.py", "receiver, state = heir(state)", "receiver, state = state.lead"),
    Mutant(
        "11.1",
        "rounds.py",
        "if not stack or sorted(handle for handle, _ in fact.cards) != sorted(stack):",
        "if not stack:",
    ),
    Mutant(
        "11.2", "scoring.py", "kinds_of(state[seat].revealed) + state[seat].prizes", "kinds_of(state[seat].revealed)"
    ),
    Mutant("11.3", "goods.py", '"bread": Bonus(15, 10)', '"bread": Bonus(16, 10)'),
    Mutant("11.4", "scoring.py", "else bonus.king + bonus.queen", "else bonus.king"),
    Mutant(
        "11.5",
        "scoring.py",
        "return one.total, one.legal_cards, one.contraband_cards",
        "return one.total, one.contraband_cards, one.legal_cards",
    ),
    Mutant(
        "12.1",
        "law.py",
        "    if not unlawful:\n        return setup.contraband\n",
        "    if not unlawful:\n        return setup.contraband[:4]\n",
    ),
    Mutant(
        "12.2",
        "engine.py",
        "state.phase is Phase.INSPECT and state.setup.timed and",
        "state.phase is Phase.INSPECT and",
    ),
    Mutant("12.3", "deck.py", "deck=fact.cards - state.setup.missing", "deck=fact.cards"),
    Mutant("12.4", "setup.py", 'return 7 if "seven"', 'return 8 if "seven"'),
    Mutant("12.5", "setup.py", "good.counts_for[0] in BONUSES and 1", "1"),
    Mutant("13.1", "goods.py", '("mead", (32, 29))', '("mead", (32, 28))'),
    Mutant(
        "13.2",
        "black_market.py",
        "return state if state.setup.edition is Edition.FIRST else state.done()",
        "return state",
    ),
    Mutant("14.1", "modules/order_cards.py", 'Order("chicken", "silk", 4)', 'Order("chicken", "silk", 5)'),
    Mutant("14.2", "modules/orders.py", "missing = FACE_UP - len(state.orders)", "missing = FACE_UP"),
    Mutant("14.4", "scoring.py", "goods + sum(ORDERS[order.name].bonus", "sum(ORDERS[order.name].bonus"),
    Mutant("15.1", "modules/laws.py", "min(3 if state.round == 1 else 2,", "min(3,"),
    Mutant("15.2", "deals.py", "any(gift.things.gold for gift", "any(gift.things.gold and not gift.condition for gift"),
    Mutant(
        "15.4",
        "gifts.py",
        "kinds, along = dict.fromkeys(step.handles), state[step.giver].unlawful",
        "kinds = dict.fromkeys(step.handles)",
    ),
    Mutant(
        "15.5",
        "law.py",
        "        return 0\n    return fine_of(state, kind) + heavier(state)",
        "        return heavier(state)\n    return fine_of(state, kind) + heavier(state)",
    ),
    Mutant("15.6", "law.py", "(wanted[:1] if single else wanted)", "wanted"),
    Mutant(
        "15.7", "modules/packs.py", "tuple(law for law in laws if set(law.goods) <= setup.table.keys())", "tuple(laws)"
    ),
    Mutant("law apple tax", "modules/law_cards.py", 'Tax("apples")', 'Tax("apples", 3)'),
    Mutant("law cheese tax", "modules/law_cards.py", 'Tax("cheese")', 'Tax("cheese", 3)'),
    Mutant("law bread tax", "modules/law_cards.py", 'Tax("bread")', 'Tax("bread", 3)'),
    Mutant("law chicken tax", "modules/law_cards.py", 'Tax("chicken")', 'Tax("chicken", 3)'),
    Mutant("law full wagons", "modules/law_cards.py", "BagAtLeast(3)", "BagAtLeast(2)"),
    Mutant("law small wagons", "modules/law_cards.py", "BagAtMost(4)", "BagAtMost(5)"),
    Mutant("law chicken ban", "modules/law_cards.py", 'Ban("chicken")', 'Ban("cheese")'),
    Mutant("law forced chicken sale", "modules/law_cards.py", 'ForcedSale("chicken")', 'ForcedSale("cheese")'),
    Mutant("law smugglers premium", "modules/law_cards.py", "Premium()", "Premium(3)", ("8.1",)),
    Mutant(
        "law sheriffs private stash",
        "modules/laws.py",
        "AskLayOut(seat) for seat in state.officers",
        "AskLayOut(seat) for seat in state.officers[:1]",
    ),
    Mutant("law heavy hand", "modules/law_cards.py", "HeavyHand()", "HeavyHand(2)", ("15.5",)),
    Mutant("law light hand", "law.py", "LightHand) and is_legal_good(state, kind)", "LightHand)", ("15.5",)),
    Mutant("law no coin", "deals.py", " and in_force(state, NoCoin)", " and False", ("15.2",)),
    Mutant("law duty", "law.py", "if isinstance(one, Duty | Mercy)", "if isinstance(one, Mercy)", ("15.6",)),
    Mutant("law mercy", "law.py", "if isinstance(one, Duty | Mercy)", "if isinstance(one, Duty)", ("15.6",)),
    Mutant("law toll", "modules/law_cards.py", "Toll()", "Toll(2)", ("10.7", "14.3")),
    Mutant("law honest reward", "verdicts.py", "reward(state) * len(declared)", "reward(state)"),
    Mutant(
        "16.1",
        "modules/merry_men.py",
        "with_player(move.seat, men=(move.handle, *spare))",
        "with_player(move.seat, men=(*spare, move.handle))",
    ),
    Mutant(
        "16.4",
        "modules/merry_men.py",
        "if 0 < player.lost_man < state.round and",
        "if 0 < player.lost_man <= state.round and",
    ),
    Mutant("16.5", "modules/merry_men.py", "if 0 < player.lost_man", "if 0 <= player.lost_man"),
    Mutant(
        "16.7",
        "modules/gold_errands.py",
        "        return collect(state, self._richer(state, send.seat), send.seat, self.gold)",
        """        for seat in self._richer(state, send.seat):
            payers = {seat} & {*self._richer(state, send.seat)}
            state = collect(state, tuple(payers), send.seat, self.gold)
        return state""",
    ),
    Mutant("merry man robin hood", "modules/merry_cards.py", "Rob(take=6, keep=3)", "Rob(take=6, keep=2)"),
    Mutant("merry man will scarlet", "modules/card_errands.py", ", RearrangeZone(owner, Zone.STACK))", ")"),
    Mutant(
        "merry man maid marian",
        "modules/card_errands.py",
        "for officer in state.officers:",
        "for officer in state.officers[:1]:",
    ),
    Mutant("merry man friar tuck", "modules/card_errands.py", "AskLayOut(seat)", "AskDiscard(seat, 1)"),
    Mutant(
        "merry man gilbert whitehand",
        "modules/card_errands.py",
        "value_of(state.setup, kind) == value_of",
        "value_of(state.setup, kind) <= value_of",
    ),
    Mutant("merry man will stutely", "modules/card_errands.py", "pile[-1].handle", "pile[0].handle"),
    Mutant(
        "merry man richard at the lee",
        "modules/merry_cards.py",
        "SheriffPaysPassed(2)",
        "SheriffPaysPassed(3)",
        ("10.7",),
    ),
    Mutant("merry man wat the tinker", "modules/card_errands.py", "onto_stall=True", "onto_stall=False"),
    Mutant("merry man reynold greenleaf", "modules/merry_cards.py", "CollectFromRicher(2)", "CollectFromRicher(3)"),
    Mutant("merry man david of doncaster", "modules/merry_cards.py", "RefillAndSwap(2)", "RefillAndSwap(1)"),
    Mutant("merry man much the millers son", "modules/merry_cards.py", "DrawAndDiscard(2)", "DrawAndDiscard(1)"),
    Mutant("merry man arthur a bland", "modules/merry_cards.py", "PayForContraband(2)", "PayForContraband(3)"),
    Mutant("merry man gandelyn", "modules/merry_cards.py", "LookAtDeck(3)", "LookAtDeck(2)"),
    Mutant("merry man little john", "modules/merry_cards.py", "Levy(take=4, pay=2)", "Levy(take=4, pay=1)"),
    Mutant("merry man roger the cook", "modules/merry_cards.py", "SellGoods(2, times=2)", "SellGoods(2, times=1)"),
    Mutant("merry man the widows son", "verdicts.py", "(fine + 1) // 2", "fine // 2"),
    Mutant(
        "14.3",
        "modules/orders.py",
        "len(missing) <= len(bag.handles) and set(missing) <= set(contraband_kinds(state))",
        "len(missing) <= len(bag.handles)",
    ),
    Mutant("16.2", "bags.py", "if handles and set(handles) <= set(view.me.men):", "if len(handles) > 9:"),
    Mutant(
        "16.3",
        "modules/merry_men.py",
        "if state.todo[0] != AskErrand(move.seat):",
        "if not isinstance(state.todo[0], AskErrand):",
    ),
    Mutant("law thin market", "modules/law_cards.py", "MarketAtMost(3)", "MarketAtMost(4)"),
    Mutant("merry man young gamwell", "modules/merry_cards.py", "CollectForGood(1)", "CollectForGood(2)"),
    Mutant("merry man alan a dale", "modules/merry_cards.py", "CollectFromPassed(1)", "CollectFromPassed(2)"),
    Mutant("19.2", "leaving.py", "not set(gone) <= set(state.seats)", "not set(gone) <= set(state.setup.seats)"),
    Mutant("19.3", "leaving.py", "bank += players[seat].gold", "bank += 0"),
    Mutant(
        "19.4",
        "leaving.py",
        "{*standing.offer.parties, *standing.offer.bags}",
        "{*standing.offer.parties}",
    ),
    Mutant("19.5", "rounds.py", "if state[seat].served < state.setup.terms)[:1]", "if state[seat].served < 99)[:1]"),
    Mutant("19.6", "leaving.py", "FEWEST_PLAYERS = 3", "FEWEST_PLAYERS = 2"),
    Mutant("19.7", "engine.py", "(Redeal(state.deck),)", "(Redeal(state.deck + state.setup.missing),)"),
)


def failing_tests(folder: Path) -> set[str]:
    """Run the tests that are named after rules on the copy in this folder; return which ones fail."""
    sections = sorted(str(path.relative_to(folder)) for path in (folder / "tests" / "rules").glob("test_section_*.py"))
    options = [
        "-q",
        "-k",
        "test_r or test_law or test_merry_man",
        "--noconftest",
        "--tb=no",
        "--assert=plain",
        "-rfE",
        "--timeout=600",
    ]
    plain = ["-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:hypothesispytest", "-p", "no:cov"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *plain, *sections],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": ""},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if run.returncode not in (0, 1) or not re.search(r"\d+ passed", run.stdout):
        raise RuntimeError(f"The tests could not be run:\n{run.stdout}\n{run.stderr}")
    return set(re.findall(r"^(?:FAILED|ERROR) \S+?::(\w+)", run.stdout, re.MULTILINE))


def copy_of_the_engine(folder: Path) -> None:
    """Copy the game, its rules and its tests, but nothing that a run has left behind."""
    dust = shutil.ignore_patterns("__pycache__", "bots", "bench", "playthroughs")
    shutil.copytree(ROOT / "p2p_sheriff", folder / "p2p_sheriff", ignore=dust)
    shutil.copytree(ROOT / "tests" / "rules", folder / "tests" / "rules", ignore=dust)
    (folder / "tests" / "__init__.py").touch()
    (folder / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "rules.md", folder / "docs")


def broken_by(mutant: Mutant, engine: Path) -> set[str]:
    """Return the tests that fail when a copy of this engine has this one line changed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "mutant"
        shutil.copytree(engine, folder)
        file = folder / "p2p_sheriff" / "rules" / mutant.file
        text = file.read_text(encoding="utf-8")
        if text.count(mutant.old) != 1:
            raise LookupError(f"{mutant.file} must have {mutant.old!r} once: update the mutant of rule {mutant.rule}.")
        file.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
        # What was compiled comes along, but for this file: its new text may be as long and as old as the one before.
        for compiled in file.parent.glob(f"__pycache__/{file.stem}.*"):
            compiled.unlink()
        return failing_tests(folder)


def run_all(mutants: Sequence[Mutant] = MUTANTS) -> dict[Mutant, set[str]]:
    """Run mutants side by side; return what each one broke that was not broken anyway."""
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(PROCESSES) as pool:
        engine = Path(name) / "engine"
        copy_of_the_engine(engine)
        anyway = failing_tests(engine)
        broken = pool.map(lambda mutant: broken_by(mutant, engine), mutants)
        return {mutant: tests - anyway for mutant, tests in zip(mutants, broken, strict=True)}


ON_TOP: Final = r"test_(law|merry_man|r1[456])_"
"""Tests of the modules."""


def complaint(mutant: Mutant, broken: set[str]) -> str | None:
    """Return what is wrong with a mutant that does not break exactly its own tests.

    Modules are played on top of the game, so what breaks one of its rules may break their tests along with its own.
    """
    own = {test for test in broken if mutant.own(test)}
    is_below = re.match(r"([1-9]|1[0-3])\.", mutant.rule) is not None
    along = {test for test in broken for rule in mutant.told_with if test.startswith(_prefix(rule))}
    if others := sorted(test for test in broken - own - along if not (is_below and re.match(ON_TOP, test))):
        return f"{mutant.rule}: breaks other rules' tests too: {', '.join(others)}"
    return None if own else f"{mutant.rule}: no test of its own notices {mutant.new!r} in {mutant.file}"


def main(rules: Sequence[str]) -> int:
    """Run the mutants of these rules, or all; return 1 if one does not break exactly its own tests."""
    mutants = [mutant for mutant in MUTANTS if not rules or mutant.rule in rules]
    complaints = []
    for mutant, broken in run_all(mutants).items():
        problem = complaint(mutant, broken)
        complaints += [problem] if problem else []
        sys.stdout.write(f"{problem or f'{mutant.rule}: {len(broken)} tests notice'}\n")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
