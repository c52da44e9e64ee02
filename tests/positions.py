"""Puts a table's game into another state, on one node, as no entry could."""

from dataclasses import replace

from protocol.position import G
from protocol.table import Table


def put_game(table: Table[G], game: G) -> None:
    table._position = replace(table._position, game=game)
