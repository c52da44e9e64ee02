"""Tables that are being gathered: who sits there, on which terms, and how their charter is made. Pure."""
