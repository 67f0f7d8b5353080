"""Trained weights, and how they are made and judged."""
