"""How near our clocks come in simulated worlds, of which the truth is known."""
