"""Sheriff of Nottingham for a local network, with no server, no host and no dealer."""
