"""Whole games of bots with a simple dealer, without cryptography."""
