"""What can be typed at the shell: verbs, their options, help, and what is said about a slip.

Nothing here knows a card or a network, so that help and errors come at once: what a verb does is loaded when it runs.
What can be played is said here once more for that reason; a test compares it with what tables and bots know.
"""
