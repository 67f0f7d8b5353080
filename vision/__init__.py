"""Reading cards from pictures."""
