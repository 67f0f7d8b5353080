"""The search: worlds that fit what a seat knows, played out as machine code."""
