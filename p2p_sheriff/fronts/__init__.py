"""Where a player meets a seat: each front shows pictures and gives intents, and knows no other front."""
