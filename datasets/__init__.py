"""Renderers of training data; used from a checkout, never installed."""
