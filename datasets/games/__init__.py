"""Recordings of whole games: from a seed to a video with the truth beside it.

`script` plays a legal deal, `plan` says which hand moves what and when, `stage` holds the table and
the camera, `film` draws the frames, `video` writes them, and `levels` lists the games that
`pisti bench score` is run on.
"""

from datasets.games.levels import GAMES, SAMPLE, SLIPPING, Game, Manner
from datasets.games.video import render_game

__all__ = ["GAMES", "SAMPLE", "SLIPPING", "Game", "Manner", "render_game"]
