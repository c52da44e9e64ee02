"""The words of the help: the rules in short, by chapter, each paragraph with the numbers of docs/rules.md."""

from collections.abc import Mapping

from p2p_sheriff.tui.words import ENGLISH, Words

HELP: Mapping[str, str | Mapping[str, str]] = {
    # -- the screen
    "help.title": "Help",
    "help.search": "Type to search:",
    "help.searching": "Search:",
    "help.nothing": "Nothing here is about “{query}”. Backspace takes letters back, Esc shows everything again.",
    "help.found": {"one": "{n} paragraph", "other": "{n} paragraphs"},
    "help.key.scroll": "scroll",
    "help.key.chapter": "chapter",
    "help.key.search": "search",
    "help.key.clear": "show all",
    "help.key.back": "back to the game",
    # -- this table
    "help.table.title": "This table",
    "help.table.players": "{n} players, {rounds} rounds, {cards} cards, {hand} in a full hand.",
    "help.table.second": "The second edition of the rules is played.",
    "help.table.first": "The first edition of the rules is played: two discard piles to draw from.",
    "help.table.first_six": "The first edition is played; with six players its market is that of the second.",
    "help.table.plain": "No options: the plain game.",
    "help.table.royal": "Royal goods are in the deck: contraband that counts double or triple for king and queen.",
    "help.table.timer": "The inspection runs against a clock: one minute for each merchant.",
    "help.table.missing": "Ten cards went back into the box unseen: nobody can count the deck.",
    "help.table.seven": "A full hand is seven cards. A bag still holds 1 to 5.",
    "help.table.black_market": "The black market is open: three of a kind buy a dear card.",
    "help.table.extra": "Extra goods are in the deck: {goods}.",
    # -- the idea
    "help.idea.title": "The idea",
    "help.idea.aim": "Bring goods to market and be the richest at the end: gold, goods and crowns are added up.",
    "help.idea.bluff": "Every bag is handed to the sheriff with a declaration: so many of one legal good. "
    "It may be a lie. Contraband is worth more, if it gets in.",
    "help.idea.sheriff": "The sheriff may look into a bag. If it was a lie, the merchant pays. "
    "If it was true, the sheriff pays. So talk, bribe, bluff.",
    # -- a round
    "help.round.title": "A round",
    "help.round.phases": "Market, load, declare, inspect, end of the round: in this order. "
    "One player is the sheriff, all others are merchants.",
    "help.round.deputies": "Market, load, declare, inspect, end of the round: in this order. "
    "Two players are deputies, the other four are merchants.",
    "help.round.sheriff": "Who holds the badge keeps the hand, and takes no part in market, load and declare.",
    "help.round.badge": "Then the badge goes to the left. The game ends when everybody has had it {n} times.",
    "help.round.refill": "At the end of a round all draw back to {hand} cards. After the last round nobody draws.",
    # -- the market
    "help.market.title": "Market",
    "help.market.second_first": "The sheriff names the merchant who begins; then clockwise.",
    "help.market.second": "Set aside 0 to 5 cards, face up, and draw back to {hand} from the deck.",
    "help.market.gathered": "When all have had their turn, what was set aside goes onto the discard pile.",
    "help.market.first_first": "The merchant to the sheriff's left begins; then clockwise.",
    "help.market.first": "Set aside 0 to 5 cards, face down. Draw as many: first from the tops of the two discard "
    "piles, if you like, shown to all; then from the deck.",
    "help.market.first_lay": "Last, what you set aside goes face up onto one of the two piles, in your order.",
    "help.market.full": "A turn always ends with a full hand, as far as there are cards.",
    # -- loading and declaring
    "help.load.title": "Load",
    "help.load.bag": "All merchants at once put 1 to 5 cards into their bags. Nobody sees them. "
    "A closed bag can't be changed.",
    "help.load.empty": "Who has no cards sits the round out.",
    "help.declare.title": "Declare",
    "help.declare.order": "From the sheriff's left on, each merchant hands the bag over and says a number and a good.",
    "help.declare.number": "The number is always true: it is the number of cards in the bag.",
    "help.declare.kind": "The good is one of: {goods}. It need not be in the bag. "
    "Contraband and mixtures can't be declared.",
    # -- the inspection
    "help.inspect.title": "Inspect",
    "help.inspect.each": "The sheriff deals with one bag after the other, in any order: opens it, or lets it pass. "
    "None, some or all may be opened. No decision is taken back.",
    "help.inspect.talk": "Until then everybody may haggle about every bag, all at once.",
    "help.bribe.title": "Bribes and deals",
    "help.bribe.what": "A bribe may be gold, goods of the own stall, face-down contraband, goods out of the own bag, "
    "and promises. Never cards of the hand, never more than there is.",
    "help.bribe.who": "Merchants offer to the sheriff, and the sheriff asks merchants. It may be about anybody's bag: "
    "“5 gold if you look into hers”.",
    "help.bribe.close": "A deal is closed when the other side accepts that very offer. Then it happens at once: "
    "what is paid moves, and each bag named passes or is opened.",
    "help.bribe.pass": "Letting a bag pass takes the offer that its owner made for that, unless it passes for nothing.",
    "help.bribe.bag": "Goods out of a bag can be promised only in a deal that lets it pass.",
    "help.bribe.hidden": "Hidden goods are offered by name, and then all see them move; or unseen: "
    "then only giver and receiver know them.",
    "help.bribe.thieves": "Honour among thieves: what was promised by name and is not there is not owed, "
    "and that it is not there is proved.",
    "help.bribe.words": "Favours for later and deals among merchants are words: recorded, never enforced.",
    "help.passed.title": "A bag passes",
    "help.passed.goods": "Its legal goods go face up onto the stall, seen by all. Contraband goes face down: "
    "how many, all see; which, nobody but the owner.",
    "help.opened.title": "A bag is opened",
    "help.opened.all": "All see everything in it.",
    "help.opened.true": "All of it is what was declared: the sheriff pays the merchant the fines of all its cards.",
    "help.opened.lie": "Anything else is in it: what was declared goes onto the stall. All other cards, legal ones "
    "too, are discarded, and the merchant pays their fines to the sheriff.",
    "help.opened.example": "“4 apples” with 1 apple, 1 cheese and 2 mead: the apple stays, the fine is 2 + 4 + 4 = 10.",
    "help.debt.title": "Out of gold",
    "help.debt.goods": "Who can't pay a fine gives all gold, then legal goods of the stall worth at least the rest, "
    "without change; then contraband. With nothing left the rest is forgiven.",
    "help.debt.choice": "The debtor chooses which goods; none may be superfluous.",
    # -- six players
    "help.deputies.title": "Deputies",
    "help.deputies.who": "Each round two deputies are drawn; everybody is deputy three times in nine rounds.",
    "help.deputies.both": "Both let a bag pass: the bribe goes onto the Loot. Both open it: a true one costs each "
    "half, the fines for a lie go onto the Loot.",
    "help.deputies.differ": "They differ: who wants to open it acts alone, and keeps or pays alone.",
    "help.deputies.say": "Each says pass or inspect, openly, and may change it until both have confirmed the same.",
    "help.deputies.loot": "At the end of the inspection the Loot is shared: evenly, unless both agree otherwise.",
    # -- goods and crowns
    "help.goods.title": "Goods",
    "help.goods.name": "good",
    "help.goods.side": "kind",
    "help.goods.cards": "cards",
    "help.goods.value": "worth",
    "help.goods.fine": "fine",
    "help.goods.counts": "counts as",
    "help.goods.counts_one": "{n} {good}",
    "help.goods.fine_note": "The fine is due when a bag is opened: who lied pays it, or the sheriff if all was true.",
    "help.crowns.title": "Kings and queens",
    "help.crowns.most": "Who has most of a legal good at the end is its king, who has second most its queen:",
    "help.crowns.row": "{good}: king {king}, queen {queen}",
    "help.crowns.tie": "A tie for king shares both bonuses, and there is no queen; a tie for queen shares hers. "
    "Rounded down. Who has none is neither.",
    "help.crowns.royal": "Royal goods count as two or three of their good: see the table of goods.",
    # -- options
    "help.market13.title": "Black market",
    "help.market13.pairs": "Three pairs lie open, the dearer card on top: {prizes}.",
    "help.market13.trade": "Right after your bag is settled you may show three face-down cards of one of these kinds, "
    "take them out of the game, and take the top card of its pair.",
    "help.market13.second": "Once in a round.",
    "help.market13.first": "Also at the start of the inspection. As often as you can.",
    "help.market13.worth": "It lies open on your face-down cards, scores its value, and may be bribed with.",
    "help.royal.title": "Royal goods",
    "help.royal.what": "Contraband in every way until scoring; then each counts as two or three of its legal good.",
    "help.timer.title": "Timer",
    "help.timer.what": "When the time of the inspection is over, all bags that are left pass, and nothing is due.",
    # -- the end
    "help.end.title": "End and score",
    "help.end.reveal": "Hands are thrown away unseen. All face-down contraband is turned up.",
    "help.end.sum": "Score: gold, the worth of all goods on the stall, and the bonuses of kings and queens.",
    "help.end.ties": "Most points win; then most legal goods; then most contraband; then the win is shared.",
    "help.deck.title": "Empty deck",
    "help.deck.second": "When a card is needed and the deck is empty, the discard pile is shuffled into a new one.",
    "help.deck.first": "When a card is needed and the deck is empty, both discard piles are shuffled into a new one, "
    "but for the top five of each.",
    "help.deck.short": "If even that gives no card, play goes on with a smaller hand.",
    # -- secrets
    "help.secrets.title": "Who sees what",
    "help.secrets.none": "There is no dealer and no server. All computers shuffle together and prove what they do; "
    "no computer knows cards that its player may not see.",
    "help.secrets.hand": "Your hand and your bag: only you. How many cards you draw or keep: everybody.",
    "help.secrets.passed": "A bag that passes: its legal goods everybody; its contraband only you, "
    "and a proof that it is contraband.",
    "help.secrets.blind": "Cards given unseen: giver and receiver. Cards given by name: everybody.",
    "help.secrets.end": "At the end all contraband is shown. Hands stay unseen for ever.",
    "help.leaving.title": "Leaving",
    "help.leaving.pause": "When somebody loses the connection the game waits. Who comes back has the same cards.",
    "help.leaving.out": "Who leaves for good, or is voted out, is not scored; the cards go into the deck, unseen.",
    "help.leaving.few": "With fewer than three players left the game ends, and nobody wins.",
    # -- keys
    "help.keys.title": "Keys",
    "help.keys.line": "The lowest line always shows the keys that do something now. The mouse works too.",
    "help.keys.arrows": "Arrows move; Enter does it; Esc goes back or takes back.",
    "help.keys.digits": "1-9 choose a card, a line or an offer.",
    "help.keys.sheriff": "i inspects the marked bag, p lets it pass, n lets it pass for nothing, o asks for something.",
    "help.keys.offer": "o makes an offer about the marked bag; in it, arrows and digits change a line, Tab goes to the "
    "next part, Enter sends it.",
    "help.keys.panels": "t chat, g log, d discard piles, v proofs, ? or F1 this help, q leave.",
    "help.keys.reveal": "While a bag opens, any key shows the rest at once.",
}


def help_words(words: Words) -> Words:
    """Returns the same language with the words of the help."""
    return Words(words.texts, {**ENGLISH, **HELP})
