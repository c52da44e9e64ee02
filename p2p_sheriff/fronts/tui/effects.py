"""What a deal will do, spelled out before anybody accepts it."""

from p2p_sheriff.fronts.tui.model import Model
from p2p_sheriff.rules import LOOT, State
from p2p_sheriff.rules.moves import Offer, Payment, Verb


def effects(model: Model, state: State, offer: Offer) -> list[tuple[str, str]]:
    """Returns what closing a deal does, sentence by sentence in the order in which it happens, each with a style."""
    words, payment = model.words, offer.payment
    fields = {"name": model.name(offer.payer), "to": model.name(LOOT if len(offer.to) == 2 else offer.to[0])}
    lines: list[tuple[str, str]] = []
    if payment.gold:
        left = state[offer.payer].gold - payment.gold
        lines.append(("gold", words("deal.pays", **fields, n=payment.gold, left=left)))
    if payment.stall:
        lines.append(("good.legal", words("deal.stall", **fields, goods=words.goods(payment.stall))))
    if payment.stack:
        lines.append(("good.contraband", words("deal.stack", **fields, goods=words.goods(payment.stack))))
    if payment.stack_blind:
        lines.append(("good.contraband", words("deal.stack_blind", **fields, n=payment.stack_blind)))
    if payment == Payment(promise=payment.promise):
        lines.append(("muted", words("deal.nothing")))
    for act in offer.acts:
        key, style = ("deal.pass", "passed") if act.verb is Verb.PASS else ("deal.inspect", "inspected")
        lines.append((style, words(key, name=model.name(act.bag))))
    if payment.bag:
        lines.append(("good.contraband", words("deal.bag", **fields, goods=words.goods(payment.bag))))
    if payment.bag_blind:
        lines.append(("good.contraband", words("deal.bag_blind", **fields, n=payment.bag_blind)))
    if payment.promise:
        lines.append(("muted", words("deal.promise", promise=payment.promise)))
    return lines


def payment_in_words(model: Model, payment: Payment) -> str:
    """Returns a payment in a few words."""
    words = model.words
    parts = [words.texts("offer.gold", n=payment.gold)] if payment.gold else []
    parts += [words.goods(payment.stall)] if payment.stall else []
    parts += [f"{words.goods(payment.stack)} ({words('offer.section_stack')})"] if payment.stack else []
    parts += [words("player.face_down", n=payment.stack_blind)] if payment.stack_blind else []
    parts += [f"{words.goods(payment.bag)} ({words('offer.section_bag')})"] if payment.bag else []
    if payment.bag_blind:
        parts.append(f"{words('offer.contraband', n=payment.bag_blind)} ({words('offer.section_bag')})")
    parts += [f"“{payment.promise}”"] if payment.promise else []
    return ", ".join(parts) or words("deal.nothing")


def acts_in_words(model: Model, offer: Offer) -> str:
    """Returns what is done for a payment in a few words."""
    words = model.words
    parts = []
    for act in offer.acts:
        verb = words("offer.act_pass" if act.verb is Verb.PASS else "offer.act_inspect")
        parts.append(f"{verb} {model.name(act.bag)}")
    return ", ".join(parts)
