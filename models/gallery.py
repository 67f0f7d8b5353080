"""A page with the photos that were not read perfectly; pictures are inside the file."""

from __future__ import annotations

import base64
from html import escape
from pathlib import Path
from typing import Any

import cv2

from models.scoring import PhotoResult
from vision.images import read_image

_STYLE = """
body { font: 15px system-ui, sans-serif; margin: 2em; background: #fafafa; color: #222; }
table { border-collapse: collapse; } td, th { padding: .2em .8em; text-align: right; }
th:first-child, td:first-child { text-align: left; }
.grid { display: flex; flex-wrap: wrap; gap: 1em; } figure { margin: 0; width: 320px; }
img { max-width: 320px; max-height: 320px; } .missed { color: #b00; } .wrong { color: #b60; }
"""


def write_gallery(
    path: Path, folder: Path, results: list[PhotoResult], report: dict[str, Any]
) -> None:
    """Write to *path* the tables of *report* and every photo in *results* that has a miss."""
    bad = [result for result in results if not result.perfect]
    rows = "".join(
        f"<tr><td>{escape(name)}</td>"
        + "".join(f"<td>{value}</td>" for value in values.values())
        + f"<td>{report['ranks'][name]['recall']}</td></tr>"
        for name, values in report["codes"].items()
    )
    head = "".join(
        f"<th>{title}</th>"
        for title in ("group", "photos", "cards", "precision", "recall", "F1", "perfect", "ranks")
    )
    figures = "".join(_figure(folder, result) for result in bad)
    path.write_text(
        f"<!doctype html><html lang=en><meta charset=utf-8><title>Misses</title>"
        f"<style>{_STYLE}</style><h1>{len(bad)} of {len(results)} photos with a miss</h1>"
        f"<table><tr>{head}</tr>{rows}</table><div class=grid>{figures}</div></html>",
        "utf-8",
    )


def _figure(folder: Path, result: PhotoResult) -> str:
    image = read_image(folder / result.image)
    scale = min(1.0, 640 / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    data = base64.b64encode(cv2.imencode(".jpg", small)[1].tobytes()).decode("ascii")
    read = " ".join(f"{card.code} {card.confidence:.2f}" for card in result.read)
    return (
        f"<figure><img alt='' src='data:image/jpeg;base64,{data}'><figcaption>"
        f"{escape(result.image)}<br>truth {escape(' '.join(result.truth))}<br>read {escape(read)}"
        f"<br><span class=missed>missed {escape(' '.join(result.missed))}</span> "
        f"<span class=wrong>wrong {escape(' '.join(result.wrong))}</span></figcaption></figure>"
    )
