"""The commands that need the network: nodes, players and bots put together."""
