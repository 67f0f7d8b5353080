"""Decoding: from what the frames show to the most likely legal game."""

from vision.decoder.evidence import Weights
from vision.decoder.game import Decoded, Decoder, Doubt, Fact, decode
from vision.decoder.looks import Look

__all__ = ["Decoded", "Decoder", "Doubt", "Fact", "Look", "Weights", "decode"]
