"""Live at the table: the camera, what is read in its pictures, and the game that follows."""
