"""The rules of one table in short chapters: only what is played there, with its own figures."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, assert_never

from p2p_sheriff.fronts.tui.canvas import Piece
from p2p_sheriff.rules import Edition, Good, Pack, Setup
from p2p_sheriff.rules.goods import BONUSES
from p2p_sheriff.rules.modules.packs import cards_of
from p2p_sheriff.seat.printed import law_name, law_text, man_card, man_text, orders_text
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts.cells import fit

_NAME_CELLS, _SIDE_CELLS, _FIGURE_CELLS = 15, 11, 6


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A few sentences, or a line of a table."""

    text: str
    """What is searched."""
    rule: str = ""
    """The numbers of the rules that it is about."""
    row: tuple[Piece, ...] = ()
    """Written as it is, where it is a line of a table."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """Paragraphs about one thing."""

    title: str
    paragraphs: tuple[Paragraph, ...]


def rulebook(setup: Setup, words: Words) -> tuple[Chapter, ...]:
    """Returns the chapters for a table."""
    return tuple(
        Chapter(words(f"help.{key}.title"), paragraphs) for key, paragraphs in _Author(setup, words).chapters()
    )


@dataclass(frozen=True, slots=True)
class _Author:
    setup: Setup
    words: Words

    def chapters(self) -> Iterator[tuple[str, tuple[Paragraph, ...]]]:
        """Yields the key of every chapter with what stands in it."""
        setup, say = self.setup, self._say
        yield "table", tuple(self._table())
        yield "idea", (say("idea.aim", "11.2"), say("idea.bluff", "6.2"), say("idea.sheriff", "7.11"))
        yield "round", tuple(self._round())
        yield "market", tuple(self._market())
        yield "load", (say("load.bag", "5.1"), say("load.empty", "5.2"))
        goods = self.words.listed([self.words.good(kind) for kind in setup.legal])
        kind = self._say("declare.kind", "6.2", goods=goods)
        yield "declare", (say("declare.order", "6.1"), say("declare.number", "6.2"), kind)
        yield "inspect", (say("inspect.each", "7.1"), say("inspect.talk", "7.2"))
        yield "bribe", self._bribes()
        yield "passed", (say("passed.goods", "7.10"),)
        lie = say("opened.lie", "7.13")
        yield "opened", (say("opened.all", "7.11"), say("opened.true", "7.12"), lie, say("opened.example", "7.13"))
        yield "debt", (say("debt.goods", "7.14"), say("debt.choice", "7.15"))
        if setup.with_deputies:
            yield "deputies", self._deputies()
        yield "goods", tuple(self._goods())
        yield "crowns", tuple(self._crowns())
        yield from self._modules()
        yield "end", (say("end.reveal", "11.1"), say("end.sum", "11.2"), say("end.ties", "11.5"))
        shuffled = "deck.first" if setup.two_piles else "deck.second"
        yield "deck", (say(shuffled, "9.1"), say("deck.short", "9.2"))
        secrets = ("secrets.none", "secrets.hand", "secrets.passed", "secrets.blind", "secrets.end")
        yield "secrets", tuple(say(key, "17") for key in secrets)
        left = ("pause", "19.1"), ("out", "19.3"), ("badge", "19.5"), ("few", "19.6")
        yield "leaving", tuple(say(f"leaving.{key}", rule) for key, rule in left)
        keys = ("line", "arrows", "digits", "sheriff", "offer", "richer", "panels", "reveal")
        yield "keys", tuple(say(f"keys.{key}") for key in keys)

    def _say(self, key: str, rule: str = "", **fields: object) -> Paragraph:
        """Returns a paragraph; where deputies are in place of a sheriff, some say something else (section 10)."""
        own = f"{key}_deputies"
        is_own = self.setup.with_deputies and f"tui.help.{own}" in self.words.texts.entries
        return Paragraph(self.words(f"help.{own if is_own else key}", **fields), rule)

    def _table(self) -> Iterator[Paragraph]:
        setup, say = self.setup, self._say
        rounds = setup.terms * setup.players // (2 if setup.with_deputies else 1)
        yield say("table.players", "2", n=setup.players, rounds=rounds, cards=setup.cards, hand=setup.hand_size)
        if setup.edition is Edition.SECOND:
            yield say("table.second")
        else:
            yield say("table.first" if setup.two_piles else "table.first_six", "2.4")
        for option, rule in (("royal", "12.1"), ("timer", "12.2"), ("missing", "12.3"), ("seven", "12.4")):
            if option in setup.options:
                yield say(f"table.{option}", rule)
        if setup.black_market:
            yield say("table.black_market", "13")
        for pack in setup.packs:
            key, rule = _PACKS[pack]
            yield say(f"table.{key}", rule)
        if setup.extra:
            yield say("table.extra", "12.5", goods=self.words.goods((good.kind, good.count) for good in setup.extra))
        if not setup.options and not setup.extra:
            yield say("table.plain", "12")

    def _round(self) -> Iterator[Paragraph]:
        setup, say = self.setup, self._say
        yield say("round.phases", "3.1")
        yield say("round.sheriff", "3.2")
        if not setup.with_deputies:
            yield say("round.badge", "3.3", n=setup.terms)
        yield say("round.refill", "8.1", hand=setup.hand_size)

    def _market(self) -> Iterator[Paragraph]:
        say, hand = self._say, self.setup.hand_size
        if self.setup.two_piles:
            yield say("market.first_first", "4.1")
            yield say("market.first", "4.3")
            yield say("market.first_lay", "4.3")
        else:
            yield say("market.second_first", "4.1")
            yield say("market.second", "4.2", hand=hand)
            yield say("market.gathered", "4.2")
        yield say("market.full", "4.4")

    def _bribes(self) -> tuple[Paragraph, ...]:
        struck = ("what", "7.3"), ("who", "7.4"), ("several", "7.4"), ("close", "7.5"), ("bag", "7.5"), ("words", "7.5")
        kept = ("pass", "7.6"), ("hidden", "7.7"), ("thieves", "7.8")
        return tuple(self._say(f"bribe.{key}", rule) for key, rule in (*struck, *kept))

    def _deputies(self) -> tuple[Paragraph, ...]:
        numbered = (("who", "10.1"), ("both", "10.3"), ("differ", "10.3"), ("say", "10.4"), ("loot", "10.5"))
        return tuple(self._say(f"deputies.{key}", rule) for key, rule in numbered)

    # -- tables

    def _goods(self) -> Iterator[Paragraph]:
        words = self.words
        heads = [words(f"help.goods.{key}") for key in ("name", "side", "cards", "value", "fine", "counts")]
        yield Paragraph("", "", (("faint", _row(*heads)),))
        for good in self.setup.goods:
            yield self._good(good)
        yield self._say("goods.fine_note", "7.12")

    def _good(self, good: Good) -> Paragraph:
        words = self.words
        counts = good.counts_for if good.counts_for and good.counts_for != (good.kind, 1) else None
        counted = words.counted(*counts) if counts else ""
        name, side = words.good(good.kind), words(f"side.{good.side.value}")
        style = f"good.{good.kind}" if good.kind in BONUSES else f"good.{good.side.value}"
        figures = _row("", side, str(good.count), str(good.value), str(good.fine), counted)
        return Paragraph(f"{name} {side} {counted}", "", ((style, fit(name, _NAME_CELLS)), figures[_NAME_CELLS:]))

    def _crowns(self) -> Iterator[Paragraph]:
        yield self._say("crowns.most", "11.3")
        for kind, bonus in BONUSES.items():
            if kind in self.setup.legal:
                text = self.words("help.crowns.row", good=self.words.good(kind), king=bonus.king, queen=bonus.queen)
                yield Paragraph(text, "", ((f"good.{kind}", text),))
        yield self._say("crowns.tie", "11.4")
        if "royal" in self.setup.options:
            yield self._say("crowns.royal", "11.3")

    def _modules(self) -> Iterator[tuple[str, tuple[Paragraph, ...]]]:
        setup, say = self.setup, self._say
        if setup.black_market:
            prizes = "; ".join(self.words.listed([self.words.good(one) for one in pair]) for pair in setup.black_market)
            often = say("market13.first" if setup.edition is Edition.FIRST else "market13.second", "13.2")
            pairs = say("market13.pairs", "13.1", prizes=prizes)
            yield "market13", (pairs, say("market13.trade", "13.2"), often, say("market13.worth", "13.2"))
        for pack in setup.packs:
            yield self._module(pack)
        if "royal" in setup.options:
            yield "royal", (say("royal.what", "12.1"),)
        if setup.timed:
            yield "timer", (say("timer.what", "12.2"), say("timer.stands", "12.2"))

    def _module(self, pack: Pack) -> tuple[str, tuple[Paragraph, ...]]:
        """Returns the chapter of a module: how it is played, and every card of its deck."""
        say, texts = self._say, self.words.texts
        cards = tuple(dict.fromkeys(cards_of(self.setup, pack)))
        match pack:
            case Pack.ORDERS:
                deck = say("orders.all", "14.1", orders=orders_text(texts, cards))
                return "orders", (
                    say("orders.open", "14.2"),
                    say("orders.fill", "14.3"),
                    say("orders.worth", "14.4"),
                    deck,
                )
            case Pack.LAWS:
                laid = say("laws.first", "15.1"), say("laws.later", "15.1"), say("laws.ban", "15.4")
                return "laws", (
                    *laid,
                    *(Paragraph(f"{law_name(texts, law)}: {law_text(texts, law, self.setup)}") for law in cards),
                )
            case Pack.MERRY_MEN:
                used = ("keep", "16.1"), ("bag", "16.2"), ("passed", "16.3"), ("caught", "16.4")
                band = (Paragraph(f"{man_card(texts, man)}: {man_text(texts, man, self.setup)}") for man in cards)
                return "men", (*(say(f"men.{key}", rule) for key, rule in used), *band)
            case _:
                assert_never(pack)


_PACKS: Final = {Pack.ORDERS: ("orders", "14"), Pack.LAWS: ("laws", "15"), Pack.MERRY_MEN: ("merry_men", "16")}
"""The keys of modules, and their chapters in the reference."""


def _row(name: str, side: str, cards: str, value: str, fine: str, counts: str) -> str:
    figures = "".join(figure.rjust(_FIGURE_CELLS) for figure in (cards, value, fine))
    return f"{fit(name, _NAME_CELLS)} {fit(side, _SIDE_CELLS)}{figures}  {counts}"
