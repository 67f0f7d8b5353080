"""Advice, commands, and the game session."""
