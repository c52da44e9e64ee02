"""The game in lines of text: for dumb terminals, screen readers, and whoever pipes it."""
