"""What is played at a table, in sentences: whoever joins sees every term that is not the usual one, on every front."""

from dataclasses import replace
from typing import Final

from p2p_sheriff.rules import Edition, Good, Setup
from p2p_sheriff.texts import Texts
from p2p_sheriff.texts.cleaning import clean

_OPTIONS: Final = {
    "royal": "gather.option_royal",
    "timer": "gather.option_timer",
    "missing": "gather.option_missing",
    "seven": "gather.option_seven",
    "black-market": "gather.option_market",
    "orders": "gather.option_orders",
    "laws": "gather.option_laws",
    "merry-men": "gather.option_men",
}


def conditions(setup: Setup, texts: Texts) -> list[str]:
    """Returns all that is played at a table: edition, options, goods."""
    goods = texts.goods((good.kind, good.count) for good in setup.goods)
    return [
        _edition(setup, texts),
        *([] if setup.options else [texts("gather.no_options")]),
        *_changes(setup, texts),
        *([] if setup.short else [clean(texts("gather.deck", n=setup.cards, goods=goods))]),
    ]


def unusual(setup: Setup, texts: Texts) -> list[str]:
    """Returns a sentence for every term that differs from the second edition without options; usually none."""
    return [*([_edition(setup, texts)] if setup.edition is Edition.FIRST else []), *_changes(setup, texts)]


def _edition(setup: Setup, texts: Texts) -> str:
    is_first = setup.edition is Edition.FIRST
    if setup.with_deputies:
        edition = "gather.edition_first_deputies" if is_first else "gather.edition_second_deputies"
        return texts(edition, players=setup.players)
    edition = "gather.edition_first" if is_first else "gather.edition_second"
    return texts(edition, players=setup.players, n=setup.terms)


def _changes(setup: Setup, texts: Texts) -> list[str]:
    chosen = "; ".join(texts(key) for option, key in _OPTIONS.items() if option in setup.options)
    return [
        *([texts("gather.options", options=chosen)] if chosen else []),
        *([_short(setup, texts)] if setup.short else []),
        *(line for good in setup.extra for line in _extra(good, texts)),
    ]


def _short(setup: Setup, texts: Texts) -> str:
    whole = sum(good.count for good in replace(setup, short=(), extra=()).goods)
    n = sum(count for _, count in setup.short)
    return texts("gather.short", n=n, whole=whole, goods=texts.goods(setup.short))


def _extra(good: Good, texts: Texts) -> list[str]:
    name = clean(texts.name(good.kind))
    line = texts(f"gather.extra_{good.side.value}", good=name, n=good.count, value=good.value, fine=good.fine)
    if good.counts_for is None:
        return [line]
    kind, n = good.counts_for
    return [line, texts("gather.extra_counts", good=name, n=n, goods=texts.good(kind, n))]
