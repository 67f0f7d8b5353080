"""The arena: players against each other on the same cards."""
