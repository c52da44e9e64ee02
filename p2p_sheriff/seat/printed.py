"""What is printed on the cards of the modules, in words: laws, merry men, special orders."""

from collections.abc import Iterable
from dataclasses import asdict

from p2p_sheriff.rules import Setup, State, View
from p2p_sheriff.rules.modules.law_cards import LAWS
from p2p_sheriff.rules.modules.merry_cards import MEN
from p2p_sheriff.rules.modules.order_cards import ORDERS
from p2p_sheriff.rules.rounds import two_deputies
from p2p_sheriff.texts import Texts


def law_name(texts: Texts, law: str) -> str:
    """Returns what a law is called."""
    return texts(f"laws.{law}")


def law_text(texts: Texts, law: str, table: State | Setup) -> str:
    """Returns what a law does at this table, in a sentence."""
    effect = LAWS[law].effect
    figures = asdict(effect)
    named = {"good": texts.name(figures["good"])} if "good" in figures else {}
    name = type(effect).__name__
    key = _own(texts, table, f"lawtexts_deputies.{name}", f"lawtexts.{name}")
    return texts(key, **figures | named)


def man_name(texts: Texts, man: str) -> str:
    """Returns what a merry man is called."""
    return texts(f"men.{man}")


def man_text(texts: Texts, man: str, table: State | Setup) -> str:
    """Returns what a merry man does at this table when he gets in, in a sentence."""
    key = _own(texts, table, f"mentexts_deputies.{man}", f"mentexts.{man}")
    return texts(key, **asdict(MEN[man])["errand"])


def _own(texts: Texts, table: State | Setup, among_deputies: str, key: str) -> str:
    """Returns the key of a sentence: where two deputies are in place of a sheriff, some have another (rule 10.7)."""
    if isinstance(table, Setup):
        with_deputies = table.with_deputies
    else:  # Who is in office ends the round, though five may be left by then (rule 19.5).
        with_deputies = len(table.officers) == 2 if table.officers else two_deputies(table)
    return among_deputies if with_deputies and among_deputies in texts.entries else key


def man_card(texts: Texts, man: str) -> str:
    """Returns a merry man with his figures."""
    card = MEN[man]
    return texts("modules.man", man=man_name(texts, man), value=card.value, fine=card.fine)


def order_names(texts: Texts, names: Iterable[str]) -> str:
    """Returns what orders are called: by the goods that fill them."""
    pairs = (ORDERS[name].goods for name in names)
    named = (
        texts("modules.order", legal=texts.name(legal), contraband=texts.name(contraband))
        for legal, contraband in pairs
    )
    return ", ".join(named)


def orders_text(texts: Texts, orders: Iterable[str]) -> str:
    """Returns orders by their goods, each with its bonus."""
    return ", ".join(
        texts("modules.order_worth", order=order_names(texts, (order,)), n=ORDERS[order].bonus) for order in orders
    )


def drawn_laws(texts: Texts, view: View) -> list[tuple[str, str]]:
    """Returns the laws that were drawn and not yet laid, for who is in office: nobody else knows them (rule 10.7)."""
    known = (view.knowledge.kinds.get(handle) for handle in view.state.drawn_laws)
    return [(law_name(texts, law), law_text(texts, law, view.state)) for law in known if law is not None]


def laws_in_force(texts: Texts, state: State) -> list[tuple[str, str]]:
    """Returns every law in force by name, that in slot 1 first, and what it does."""
    return [(law_name(texts, law), law_text(texts, law, state)) for law in state.laws]
