"""The place where a player meets a node: intents in, pictures and news out, and one driver between them."""
