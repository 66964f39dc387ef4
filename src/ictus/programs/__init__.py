"""Other people's programs: their barriers replaced, their collectives rerouted."""
