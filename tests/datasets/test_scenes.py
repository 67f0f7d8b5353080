from __future__ import annotations

import numpy as np
import pytest

from datasets import scenes
from datasets.camera import Camera
from datasets.canvas import Canvas
from datasets.crops import FACE_SIZE
from datasets.decks import BACK
from datasets.layouts import Hand
from datasets.library import library
from datasets.scenes import RECIPES, label, lay_card, render_scene
from engine.cards import Card
from vision.quads import rectify


@pytest.mark.parametrize("recipe", ["mix", "far", "held", "stress-dim"])
def test_a_scene_is_a_function_of_its_arguments(recipe: str) -> None:
    first, again = render_scene(recipe, 3, 5), render_scene(recipe, 3, 5)
    assert first.image.tobytes() == again.image.tobytes()
    assert [c.quad.tolist() for c in first.cards] == [c.quad.tolist() for c in again.cards]
    other = render_scene(recipe, 3, 6)
    assert other.image.shape != first.image.shape or (other.image != first.image).any()


@pytest.mark.parametrize("recipe", list(RECIPES))
def test_labels_are_well_formed(recipe: str) -> None:
    for index in range(2):
        scene = render_scene(recipe, 1, index)
        height, width = scene.image.shape[:2]
        assert scene.image.dtype == np.uint8
        for card in scene.cards:
            assert card.quad.shape == (4, 2)
            assert 0 < card.visible <= 1
            assert card.face_up == (card.name != "??")
            assert card.name == str(Card.parse(card.name))
        for mark in scene.indexes:
            assert scene.cards[mark.card].name == mark.name
            assert 0 < mark.visible <= 1
        for hand in scene.hands:
            assert (hand >= 0).all()
            assert (hand <= [width, height]).all()


def test_negatives_hold_no_card() -> None:
    assert all(not render_scene("negative", 2, n).cards for n in range(4))


def test_an_unknown_recipe_is_refused() -> None:
    with pytest.raises(KeyError):
        render_scene("nothing", 0, 0)


def camera_from_above(card_height: float = 200.0, elevation: float = 90.0) -> Camera:
    focal = 900.0
    return Camera.look(
        (600, 500), focal=focal, distance=focal * 8.8 / card_height, elevation=elevation
    )


@pytest.mark.parametrize("elevation", [90.0, 50.0, 35.0])
@pytest.mark.parametrize("angle", [0.0, 37.0, 200.0])
def test_the_quad_leads_back_to_the_printed_face(elevation: float, angle: float) -> None:
    """Rectified by its label, a card looks like its own face and like no other, right way up."""
    deck = library()[0]
    hand = Hand(deck, np.random.default_rng(1))
    camera = camera_from_above(elevation=elevation)
    face = Card.parse("7H").index
    card = hand.place(face, 0, 0, 0, angle)
    quad = camera.project(card.corners)
    canvas = Canvas(np.full((500, 600, 3), 60, np.uint8))
    lay_card(canvas, card, quad, 0, None)
    seen = rectify(canvas.image, quad, FACE_SIZE).astype(np.float32)

    def likeness(index: int, turned: bool = False) -> float:
        art = hand.print.apply(deck.levels[0][index])
        unit = np.array([[0, 0], [400, 0], [400, 560], [0, 560]], np.float32)
        flat = rectify(art, unit, FACE_SIZE).astype(np.float32)
        if turned:
            flat = flat[::-1, ::-1]
        return float(np.corrcoef(seen.ravel(), flat.ravel())[0, 1])

    right = likeness(face)
    assert right > 0.9
    others = [likeness(n) for n in range(BACK) if n != face]
    assert right > max(others) + 0.02
    assert right > likeness(face, turned=True) + 0.02


def test_index_quads_hold_the_ink_of_the_index() -> None:
    """Within an index's quad there is ink; in a ring around it there is paper."""
    deck = library()[0]
    hand = Hand(deck, np.random.default_rng(1))
    camera = camera_from_above(card_height=400)
    card = hand.place(Card.parse("AS").index, 0, 0, 0, 0)
    quad = camera.project(card.corners)
    canvas = Canvas(np.full((500, 600, 3), 60, np.uint8))
    lay_card(canvas, card, quad, 0, None)
    _, indexes = label(canvas, [card], [quad])
    assert len(indexes) == len(deck.indexes[card.face])
    for index in indexes:
        # The box may reach over the card's rounded corner.
        assert index.visible > 0.9
        inner = rectify(canvas.image, index.quad, FACE_SIZE)
        assert inner.std() > 40
        centre = index.quad.mean(axis=0)
        grown = (centre + (index.quad - centre) * 1.12).astype(np.float32)
        ring = rectify(canvas.image, grown, FACE_SIZE)
        assert ring[:4, 8:-8].min() > 120


def test_the_visible_fraction_of_an_overlap_is_right() -> None:
    """A card that covers the upper half of another leaves half of it to be seen."""
    deck = library()[0]
    hand = Hand(deck, np.random.default_rng(1))
    camera = camera_from_above()
    low = hand.place(3, 0, 0, 0, 0)
    high = hand.place(4, 0, 4.4, 0, 0)
    quads = [camera.project(card.corners) for card in (low, high)]
    canvas = Canvas(np.full((500, 600, 3), 60, np.uint8))
    for number, (card, quad) in enumerate(zip((low, high), quads, strict=True)):
        lay_card(canvas, card, quad, number, None)
    cards, indexes = label(canvas, [low, high], quads)
    assert cards[0].visible == pytest.approx(0.5, abs=0.02)
    assert cards[1].visible > 0.97
    seen = {(i.card, round(i.visible)) for i in indexes if i.card == 0}
    assert seen <= {(0, 1)}, "the covered index is not listed as seen"


def test_a_card_cut_by_the_frame_keeps_its_whole_quad() -> None:
    deck = library()[0]
    hand = Hand(deck, np.random.default_rng(1))
    camera = camera_from_above()
    left = camera.on_table(np.array([[0.0, 250.0]]))[0]
    card = hand.place(3, float(left[0]), float(left[1]), 0, 0)
    quad = camera.project(card.corners)
    canvas = Canvas(np.full((500, 600, 3), 60, np.uint8))
    lay_card(canvas, card, quad, 0, None)
    cards, _ = label(canvas, [card], [quad])
    assert cards[0].visible == pytest.approx(0.5, abs=0.02)
    assert cards[0].quad[:, 0].min() < 0


def test_every_recipe_has_a_share_or_is_named() -> None:
    assert set(scenes.RECIPES) >= {"far", "single", "pile", "fan", "held", "negative"}
    assert all(recipe.share > 0 for recipe in scenes.RECIPES.values())
    assert not set(scenes.RECIPES) & set(scenes.STRESS)


@pytest.mark.parametrize(("tall", "degrees"), [(45, 60), (60, 45), (80, 35)])
def test_stress_cards_are_as_tall_as_their_recipe_says(tall: int, degrees: int) -> None:
    """A card in the middle of the picture whose long side points away has the named height."""
    recipe = scenes.STRESS[f"stress-{tall}-{degrees}"]
    camera = scenes._camera(recipe, (1280, 720), recipe.height[0] * 720, np.random.default_rng(0))
    away = np.array([camera.position[0], camera.position[1]])
    away /= np.linalg.norm(away)
    ends = camera.project(np.stack([away, -away]) * 4.4)
    assert np.linalg.norm(ends[0] - ends[1]) == pytest.approx(tall, rel=0.02)
