"""The words of the tutorial. Every lesson has what the coach says, what to press, and what is said to another key."""

from collections.abc import Mapping

from p2p_sheriff.tui.words import ENGLISH, Words

TUTORIAL: Mapping[str, str | Mapping[str, str]] = {
    "tutorial.title": "Lesson {n} of {of}: {title}",
    "tutorial.skip": "Esc Esc skips the tutorial",
    "tutorial.leave": "Press Esc once more to leave the tutorial; any other key goes on with it.",
    "tutorial.not_yet": "Not yet: {do}",
    "tutorial.watch": "A bag opens in front of everybody. What was declared, and what comes out?",
    "tutorial.watch_do": "Watch, or press any key to see it all at once.",
    "tutorial.tuck_says": "Apples, sheriff! Nothing but apples. And a little something for your trouble…",
    "tutorial.marian_says": "I sell the best cheese in town. Do look at Tuck, he is sweating.",
    # -- the first round
    "tutorial.welcome.title": "welcome",
    "tutorial.welcome.text": "You are a merchant: bring goods to market, and be the richest at the end. This round "
    "Marian has the badge: she is the sheriff. The stalls of all stand above, your cards below.",
    "tutorial.welcome.do": "Press Enter to go on.",
    "tutorial.market.title": "the market",
    "tutorial.market.text": "You have three apples. A bag is declared as one kind of good, so collect one: set "
    "cheese and chicken aside, and draw two new cards.",
    "tutorial.market.do": "Press 4 and 5, then Enter.",
    "tutorial.load.title": "the bag",
    "tutorial.load.text": "Put cards into your bag; nobody sees which. Four apples make an honest bag. The line "
    "under your cards tells what an inspection would do.",
    "tutorial.load.do": "Press 1, 2, 3 and 4, then Enter to close the bag.",
    "tutorial.declare.title": "the declaration",
    "tutorial.declare.text": "Hand your bag to the sheriff, and say what is in it. The number is always true. The "
    "good may be a lie; but this time “4 apples” is the whole truth.",
    "tutorial.declare.do": "Press Enter to declare apples.",
    "tutorial.suspense.title": "the sheriff",
    "tutorial.suspense.text": "Now the bags are on the sheriff's desk. She may open each one, or let it pass. Marian "
    "looks at you for a long time…",
    "tutorial.suspense.do": "Press Enter to see what she does.",
    "tutorial.honest.title": "honesty pays",
    "tutorial.honest.text": "It was true: so the sheriff pays you 2 for every apple, 8 gold. Your apples lie on your "
    "stall now, and count for king of apples.",
    "tutorial.honest.do": "Press Enter for the second round.",
    # -- the second round
    "tutorial.contraband.title": "contraband",
    "tutorial.contraband.text": "Tuck is sheriff now. Pepper and silk are contraband: worth more than legal goods, "
    "but never declared. They have to hide in a bag.",
    "tutorial.contraband.do": "Press Enter to keep all your cards.",
    "tutorial.bluff.title": "a small bluff",
    "tutorial.bluff.text": "Two chicken, and the silk between them. Opened, you lose the silk and pay 4 for it. "
    "Passed, it is yours, and worth 8.",
    "tutorial.bluff.do": "Press 3, 4 and 6, then Enter to close the bag.",
    "tutorial.lie.title": "a straight face",
    "tutorial.lie.text": "You must say one legal good for the whole bag. “3 chicken” is a lie, but only by one card. "
    "Say it as if it were true.",
    "tutorial.lie.do": "Press Enter to declare chicken.",
    "tutorial.bribe.title": "a bribe",
    "tutorial.bribe.text": "Tuck hesitates. Offer him 5 gold, if he lets your bag pass. On the right you read what "
    "the deal will do, before you send it.",
    "tutorial.bribe.do": "Press o to make an offer, then Enter to send it.",
    "tutorial.passed.title": "through!",
    "tutorial.passed.text": "He took the gold and let it pass. Two chicken lie on your stall, and the silk face "
    "down: the others see that there is a card, but nobody can find out which. Worth 16, for a small price.",
    "tutorial.passed.do": "Press Enter for the third round.",
    # -- the third round
    "tutorial.badge.title": "the badge",
    "tutorial.badge.text": "Now you are the sheriff. You pack no bag this round; you say who goes to the market "
    "first, and then you wait for the bags of the others.",
    "tutorial.badge.do": "Press Enter to let Marian begin.",
    "tutorial.desk.title": "your desk",
    "tutorial.desk.text": "Marian says 3 cheese, and offers 2 gold. Tuck says 4 apples, and offers 6. So much, for "
    "apples? If he lied, he pays you; if not, you pay him.",
    "tutorial.desk.do": "Press ↓ to mark Tuck's bag, i to inspect it, Enter to confirm.",
    "tutorial.mercy.title": "the other bag",
    "tutorial.mercy.text": "Caught! One apple was true; the rest is gone, and Tuck paid 4 for each card of it. "
    "Marian still offers 2 gold: take them, and let her cheese pass.",
    "tutorial.mercy.do": "Press p to let it pass, then Enter.",
    "tutorial.end.title": "that is the game",
    "tutorial.end.text": "Whoever has most at the end wins: gold, goods, contraband, and the crowns for most and "
    "second most of each legal good, K and Q above. The rules are behind ? at any moment. Good luck!",
    "tutorial.end.do": "Press Enter to leave the tutorial.",
}


def tutorial_words(words: Words) -> Words:
    """Returns the same language with the words of the tutorial."""
    return Words(words.texts, {**ENGLISH, **TUTORIAL})
