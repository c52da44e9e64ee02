"""What a deal will do, spelled out before anybody accepts it."""

from collections import Counter

from p2p_sheriff.rules import Seat, State
from p2p_sheriff.rules.moves import NOTHING, Gift, Offer, Verb
from p2p_sheriff.seat.picture import Picture


def effects(picture: Picture, state: State, offer: Offer) -> list[tuple[str, str]]:
    """Returns what closing a deal does, sentence by sentence in the order in which it happens, each with a style."""
    words, paid = picture.words, Counter[Seat]()
    lines: list[tuple[str, str]] = []
    for gift in offer.gifts:
        if gift.things.gold and gift.condition is None:
            paid[gift.giver] += gift.things.gold
            left = state[gift.giver].gold - paid[gift.giver]
            lines.append(("gold", words("deal.pays", **_sides(picture, gift), n=gift.things.gold, left=left)))
    for gift in offer.gifts:
        if gift.things.stall:
            goods = words.goods(gift.things.stall)
            lines.append(("good.legal", words("deal.stall", **_sides(picture, gift), goods=goods)))
    for gift in offer.gifts:
        fields, things = _sides(picture, gift), gift.things
        if things.stack:
            lines.append(("good.contraband", words("deal.stack", **fields, goods=words.goods(things.stack))))
        if things.stack_blind:
            lines.append(("good.contraband", words("deal.stack_blind", **fields, n=things.stack_blind)))
    if all(gift.things == NOTHING for gift in offer.gifts):
        lines.append(("muted", words("deal.nothing")))
    for act in offer.acts:
        key, style = ("deal.pass", "passed") if act.verb is Verb.PASS else ("deal.inspect", "inspected")
        lines.append((style, words(key, name=picture.name(act.bag))))
    for gift in offer.gifts:
        fields, things = _sides(picture, gift), gift.things
        if gift.condition is not None:
            lines.append(("gold", words(f"deal.surety_{gift.condition.value}", **fields, n=things.gold)))
        if things.bag:
            lines.append(("good.contraband", words("deal.bag", **fields, goods=words.goods(things.bag))))
        if things.bag_blind:
            lines.append(("good.contraband", words("deal.bag_blind", **fields, n=things.bag_blind)))
    if offer.promise:
        lines.append(("muted", words("deal.promise", promise=offer.promise)))
    return lines


def _sides(picture: Picture, gift: Gift) -> dict[str, str]:
    return {"name": picture.name(gift.giver), "to": picture.name(gift.receiver)}


def given_in_words(picture: Picture, offer: Offer) -> str:
    """Returns what is given in a few words."""
    if not offer.is_bribe:
        return picture.narrator.payment(offer)
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
