"""Sources of pictures: video files, cameras, streams, folders of images.

Examples:
    >>> from vision.sources import SourceError, open_source
    >>> try:
    ...     source = open_source("no/such/game.mp4")
    ... except SourceError as error:
    ...     print(error)
    There is no file or folder no/such/game.mp4.
"""

from vision.sources.errors import SourceError
from vision.sources.frames import Frame, LiveSource, Recording, Source, Status, Timing
from vision.sources.opening import open_source

__all__ = [
    "Frame",
    "LiveSource",
    "Recording",
    "Source",
    "SourceError",
    "Status",
    "Timing",
    "open_source",
]
