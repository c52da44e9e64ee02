"""What is printed on the cards of the modules, in words: laws, merry men, special orders."""

from collections.abc import Iterable
from dataclasses import asdict

from p2p_sheriff.rules import State, View
from p2p_sheriff.rules.modules.law_cards import LAWS
from p2p_sheriff.rules.modules.merry_cards import MEN
from p2p_sheriff.rules.modules.order_cards import ORDERS
from p2p_sheriff.texts import Texts


def law_name(texts: Texts, law: str) -> str:
    """Returns what a law is called."""
    return texts(f"laws.{law}")


def law_text(texts: Texts, law: str) -> str:
    """Returns what a law does, in a sentence."""
    effect = LAWS[law].effect
    figures = asdict(effect)
    named = {"good": texts.name(figures["good"])} if "good" in figures else {}
    return texts(f"lawtexts.{type(effect).__name__}", **figures | named)


def man_name(texts: Texts, man: str) -> str:
    """Returns what a merry man is called."""
    return texts(f"men.{man}")


def man_text(texts: Texts, man: str) -> str:
    """Returns what a merry man does when he gets in, in a sentence."""
    return texts(f"mentexts.{man}", **asdict(MEN[man])["errand"])


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
    return [(law_name(texts, law), law_text(texts, law)) for law in known if law is not None]


def laws_in_force(texts: Texts, state: State) -> list[tuple[str, str]]:
    """Returns every law in force by name, that in slot 1 first, and what it does."""
    return [(law_name(texts, law), law_text(texts, law)) for law in state.laws]
