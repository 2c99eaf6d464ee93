"""Our agents in other people's games, and other people's programs in ours: everything that goes through a pipe."""
