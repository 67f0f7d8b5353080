"""Quads: four corners of a card in a picture, clockwise, as (4, 2) arrays of pixels."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

#: Corners of the unit square in the order of a quad: clockwise from the top left.
UNIT_SQUARE: Final = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


def quad_from_symmetric(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return (N, 4, 2) quads from (N, 8) numbers that are the same for a card turned by 180°.

    A card looks alike when it is turned by half a turn, so a network cannot know which of two
    opposite corners comes first. It predicts what both orders share: the centre c of the corners,
    the skew s between the midpoints of the diagonals, and each diagonal d as a vector of its
    length at twice its angle. All in pixels, in the order c, s, diagonal 0-2, diagonal 1-3.
    """
    centre, skew, first, second = (values[:, i : i + 2] for i in (0, 2, 4, 6))
    diagonals = []
    for doubled in (first, second):
        angle = np.arctan2(doubled[:, 1], doubled[:, 0]) / 2
        length = np.hypot(doubled[:, 0], doubled[:, 1])
        diagonals.append(np.stack([np.cos(angle), np.sin(angle)], 1) * length[:, None])
    d02, d13 = diagonals
    # Clockwise order (y points down) fixes the sign of one diagonal by the other.
    cross = d02[:, 0] * d13[:, 1] - d02[:, 1] * d13[:, 0]
    d13 = np.where(cross[:, None] < 0, -d13, d13)
    m02, m13 = centre + skew / 2, centre - skew / 2
    corners = [m02 + d02 / 2, m13 + d13 / 2, m02 - d02 / 2, m13 - d13 / 2]
    return upper_end_first(np.stack(corners, 1).astype(np.float32))


def symmetric_from_quad(quads: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the (N, 8) numbers of `quad_from_symmetric` for (N, 4, 2) *quads*."""
    m02, m13 = (quads[:, 0] + quads[:, 2]) / 2, (quads[:, 1] + quads[:, 3]) / 2
    parts = [(m02 + m13) / 2, m02 - m13]
    for diagonal in (quads[:, 0] - quads[:, 2], quads[:, 1] - quads[:, 3]):
        angle = 2 * np.arctan2(diagonal[:, 1], diagonal[:, 0])
        length = np.hypot(diagonal[:, 0], diagonal[:, 1])
        parts.append(np.stack([np.cos(angle), np.sin(angle)], 1) * length[:, None])
    return np.concatenate(parts, 1).astype(np.float32)


def upper_end_first(quads: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return *quads* (N, 4, 2), each in that of its two orders that has the upper end first.

    Side 0-1 stays a short side of the card, also where perspective shows it longer.
    """
    first_end = quads[:, 0, 1] + quads[:, 1, 1]
    second_end = quads[:, 2, 1] + quads[:, 3, 1]
    turned = np.roll(quads, 2, axis=1)
    return np.where((first_end <= second_end)[:, None, None], quads, turned)


def fit_to_boxes(
    quads: NDArray[np.float32], boxes: NDArray[np.float32], frame: tuple[int, int]
) -> NDArray[np.float32]:
    """Return (N, 4, 2) *quads* stretched so that each just fills its box (N, 4).

    Boxes are found more precisely than corners. A box that ends at the edge of the picture (*frame*
    is its height and width) shows only part of its quad, which is left alone in that direction.
    """
    low, high = quads.min(1), quads.max(1)
    scale = (boxes[:, 2:] - boxes[:, :2]) / np.maximum(high - low, 1e-3)
    stretched = (quads - low[:, None]) * scale[:, None] + boxes[:, None, :2]
    margin = 0.01 * max(frame)
    inside = (boxes[:, :2] > margin) & (boxes[:, 2:] < np.array(frame[::-1]) - margin)
    return np.where(inside[:, None], stretched, quads).astype(np.float32)


def box_quad(box: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the quad of *box* (left, top, right, bottom)."""
    left, top, right, bottom = box
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)


def bounds(quad: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the box (left, top, right, bottom) around *quad*."""
    return np.concatenate([quad.min(axis=0), quad.max(axis=0)])


def quad_area(quad: NDArray[np.float32]) -> float:
    """Return the area in square pixels."""
    return float(abs(cv2.contourArea(quad.astype(np.float32))))


def look_like_cards(quads: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return (N,) which of (N, 4, 2) *quads* can be cards in perspective.

    These are convex, and their opposite sides are much alike.
    """
    edges = quads[:, [1, 2, 3, 0]] - quads
    following = edges[:, [1, 2, 3, 0]]
    sides = np.hypot(edges[..., 0], edges[..., 1])
    shorter, longer = np.minimum(sides[:, :2], sides[:, 2:]), np.maximum(sides[:, :2], sides[:, 2:])
    turns = edges[..., 0] * following[..., 1] - edges[..., 1] * following[..., 0]
    convex = (turns >= 0).all(1) | (turns <= 0).all(1)
    return np.asarray(convex & (longer < 1.9 * shorter).all(1), np.bool_)


def turned(quads: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return (N, 4, 2) *quads* with their long sides taken for the short ones."""
    return np.roll(quads, 1, axis=1)


def holds(quad: NDArray[np.float32], point: NDArray[np.floating]) -> bool:
    """Return whether *point* (2,) lies in *quad* or on its edge."""
    x, y = point.tolist()
    return cv2.pointPolygonTest(quad.astype(np.float32), (x, y), False) >= 0


def quad_iou(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Return the intersection over union of two convex quads, 0 where one is not convex."""
    shared = float(cv2.intersectConvexConvex(one, other)[0])
    union = quad_area(one) + quad_area(other) - shared
    return shared / union if union > 0 and shared > 0 else 0.0


def quad_share(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Return the share of the smaller of two convex quads that lies in the other."""
    shared = float(cv2.intersectConvexConvex(one, other)[0])
    smaller = min(quad_area(one), quad_area(other))
    return shared / smaller if smaller > 0 else 0.0


def homography(quad: NDArray[np.float32], size: tuple[float, float]) -> NDArray[np.float64]:
    """Return the 3 × 3 homography from the picture to a card of *size* (height, width)."""
    height, width = size
    target = UNIT_SQUARE * np.array([width, height], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(quad.astype(np.float32), target), np.float64)


def apply_homography(
    matrix: NDArray[np.float64], points: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return (N, 2) *points* moved by *matrix*."""
    moved = cv2.perspectiveTransform(points.astype(np.float64)[None], matrix)[0]
    return np.asarray(moved, np.float32)


def rectify(
    image: NDArray[np.uint8], quad: NDArray[np.float32], size: tuple[int, int]
) -> NDArray[np.uint8]:
    """Return the card in *quad* flattened to *size* (height, width); grey where it leaves it."""
    return flatten(image, quad, size, UNIT_SQUARE * np.array(size[::-1], np.float32))


def flatten(
    image: NDArray[np.uint8],
    quad: NDArray[np.float32],
    size: tuple[int, int],
    target: NDArray[np.floating],
    *,
    fine: bool = True,
) -> NDArray[np.uint8]:
    """Return *image* flattened to *size* so that *quad* comes to lie at *target* (4, 2).

    Where that makes it much smaller, *fine* keeps thin strokes but takes twice the time.
    """
    height, width = size
    sides = np.linalg.norm(quad - np.roll(quad, -1, 0), axis=1)
    across, along = target[2] - target[0]
    shrink = max(sides[[0, 2]].max() / across, sides[[1, 3]].max() / along)
    # Big cards are warped to a multiple of the size and averaged down.
    factor = int(np.clip(np.ceil(shrink - 0.5 if fine else shrink / 2), 1, 4))
    matrix = cv2.getPerspectiveTransform(
        quad.astype(np.float32), (target * factor).astype(np.float32)
    )
    warped = cv2.warpPerspective(
        image,
        matrix,
        (width * factor, height * factor),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=(114, 114, 114),
    )
    if factor > 1:
        warped = cv2.resize(warped, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(warped, np.uint8)
