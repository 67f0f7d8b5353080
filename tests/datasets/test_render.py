from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner

from datasets.__main__ import main
from datasets.render import LABELS, render


def lines(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / LABELS).read_text().splitlines()]


def test_a_stopped_run_goes_on_where_it_was(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    assert list(render(whole, "single", 1, 3))[-1] == (3, 3)
    assert list(render(parts, "single", 1, 2))[-1] == (2, 2)
    # A line cut short by a stop is rendered again.
    path = parts / LABELS
    path.write_text(path.read_text()[:-20])
    assert next(render(parts, "single", 1, 3)) == (1, 3)
    assert list(render(parts, "single", 1, 3))[-1] == (3, 3)
    assert lines(whole) == lines(parts)
    for number in range(3):
        name = f"{number:06d}.jpg"
        assert (whole / name).read_bytes() == (parts / name).read_bytes()


def test_labels_describe_their_picture(tmp_path: Path) -> None:
    list(render(tmp_path, "table", 2, 1))
    (record,) = lines(tmp_path)
    image = cv2.imread(str(tmp_path / str(record["image"])))
    assert image is not None
    assert image.shape[:2] == (record["height"], record["width"])
    assert set(record) == {"image", "width", "height", "cards", "indexes", "hands"}


def test_a_folder_holds_one_recipe_and_seed(tmp_path: Path) -> None:
    list(render(tmp_path, "single", 1, 1))
    with pytest.raises(ValueError, match="holds scenes of"):
        next(render(tmp_path, "single", 2, 1))


def test_the_commands_work(tmp_path: Path) -> None:
    runner = CliRunner()
    out = tmp_path / "sheet.png"
    result = runner.invoke(main, ["sheet", str(out), "--recipe", "fan", "--count", "2"])
    assert result.exit_code == 0, result.output
    assert cv2.imread(str(out)) is not None
    result = runner.invoke(main, ["render", str(tmp_path / "r"), "--count", "1"])
    assert result.exit_code == 0, result.output
    result = runner.invoke(main, ["render", str(tmp_path / "r"), "--seed", "9", "--count", "1"])
    assert result.exit_code == 1
    assert "holds scenes of" in result.output
    result = runner.invoke(main, ["fetch", "--only", "no-such-thing"])
    assert result.exit_code == 2
