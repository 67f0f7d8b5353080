"""Players: rules of thumb, and one family of players told apart by numbers alone."""
