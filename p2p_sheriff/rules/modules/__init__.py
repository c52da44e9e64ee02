"""The modules with decks of their own: each a data table (`*_cards`) and the rules that play it.

docs/modules.md says how one is built, and how to add a card.
"""
