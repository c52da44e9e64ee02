"""The full-screen game. A screen is a value: drawing it and pressing a key on it are pure functions.

`canvas` is a grid of cells, `theme` gives its styles their colours, `screen` says what a screen is, and `app` shows
screens in a terminal. `table` is the screen of a game; `model` is what it shows.
"""
