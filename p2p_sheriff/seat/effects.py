"""What a deal will do, spelled out before anybody accepts it."""

from p2p_sheriff.rules import State
from p2p_sheriff.rules.moves import NOTHING, Offer, Verb
from p2p_sheriff.seat.picture import Picture


def effects(picture: Picture, state: State, offer: Offer) -> list[tuple[str, str]]:
    """Returns what closing a deal does, sentence by sentence in the order in which it happens, each with a style."""
    words, gift, things = picture.words, offer.gift, offer.gift.things
    fields = {"name": picture.name(gift.giver), "to": picture.name(gift.receiver)}
    lines: list[tuple[str, str]] = []
    if things.gold:
        left = state[gift.giver].gold - things.gold
        lines.append(("gold", words("deal.pays", **fields, n=things.gold, left=left)))
    if things.stall:
        lines.append(("good.legal", words("deal.stall", **fields, goods=words.goods(things.stall))))
    if things.stack:
        lines.append(("good.contraband", words("deal.stack", **fields, goods=words.goods(things.stack))))
    if things.stack_blind:
        lines.append(("good.contraband", words("deal.stack_blind", **fields, n=things.stack_blind)))
    if things == NOTHING:
        lines.append(("muted", words("deal.nothing")))
    for act in offer.acts:
        key, style = ("deal.pass", "passed") if act.verb is Verb.PASS else ("deal.inspect", "inspected")
        lines.append((style, words(key, name=picture.name(act.bag))))
    if things.bag:
        lines.append(("good.contraband", words("deal.bag", **fields, goods=words.goods(things.bag))))
    if things.bag_blind:
        lines.append(("good.contraband", words("deal.bag_blind", **fields, n=things.bag_blind)))
    if offer.promise:
        lines.append(("muted", words("deal.promise", promise=offer.promise)))
    return lines


def given_in_words(picture: Picture, offer: Offer) -> str:
    """Returns what is given in a few words."""
    words, things = picture.words, offer.gift.things
    parts = [words.texts("offer.gold", n=things.gold)] if things.gold else []
    parts += [words.goods(things.stall)] if things.stall else []
    parts += [f"{words.goods(things.stack)} ({words('offer.section_stack')})"] if things.stack else []
    parts += [words("player.face_down", n=things.stack_blind)] if things.stack_blind else []
    parts += [f"{words.goods(things.bag)} ({words('offer.section_bag')})"] if things.bag else []
    if things.bag_blind:
        parts.append(f"{words('offer.contraband', n=things.bag_blind)} ({words('offer.section_bag')})")
    parts += [f"“{offer.promise}”"] if offer.promise else []
    return ", ".join(parts) or words("deal.nothing")


def acts_in_words(picture: Picture, offer: Offer) -> str:
    """Returns what is done for it in a few words."""
    return picture.narrator.acts(offer)
