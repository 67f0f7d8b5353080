from __future__ import annotations

import numpy as np
import pytest

from datasets.layouts import ACE_OF_SPADES, Hand
from datasets.library import library
from datasets.ornate import ornate_ace


@pytest.mark.parametrize("level", [0, 1, 2])
def test_an_ornate_ace_keeps_its_indexes_and_changes_its_middle(level: int) -> None:
    deck = library()[0]
    face = np.asarray(deck.levels[level][ACE_OF_SPADES])
    height, width = face.shape[:2]
    for seed in range(20):
        ornate = ornate_ace(face, deck.indexes[ACE_OF_SPADES], seed)
        assert ornate.shape == face.shape
        for index in deck.indexes[ACE_OF_SPADES]:
            x0, y0, x1, y1 = index.box
            rows = slice(round(y0 * height), round(y1 * height))
            columns = slice(round(x0 * width), round(x1 * width))
            assert np.array_equal(ornate[rows, columns], face[rows, columns])
        middle = (slice(height // 4, 3 * height // 4), slice(width // 4, 3 * width // 4))
        assert not np.array_equal(ornate[middle], face[middle])


def test_ornate_aces_are_a_function_of_their_number() -> None:
    deck = library()[0]
    face = np.asarray(deck.levels[2][ACE_OF_SPADES])
    first, again, other = (ornate_ace(face, (), seed) for seed in (4, 4, 5))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_a_deck_has_one_ace_of_spades_in_a_scene_and_only_that_is_ornate() -> None:
    kinds = set()
    for seed in range(12):
        hand = Hand(library()[0], np.random.default_rng(seed))
        aces = [hand.place(ACE_OF_SPADES, 0, 0, 0, 0).ornate for _ in range(3)]
        assert len(set(aces)) == 1
        kinds.add(aces[0] is None)
        assert hand.place(ACE_OF_SPADES + 1, 0, 0, 0, 0).ornate is None
    assert kinds == {True, False}
