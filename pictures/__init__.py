"""Pictures of the games: one renderer, from a view to the text of an SVG.

Pure: no clock, no random numbers, no files. All artwork is drawn here as vector shapes. Every
place that a move can name carries its id of the move contract: `data-x` and `data-y` on cells,
`data-segment` on the segments of tiles, `data-space`, `data-building`, `data-line` in Caylus. What
can change from move to move has an `id` that stays the same from picture to picture.
"""

from cartulary.pictures.drawing import Picture, draw
from cartulary.pictures.plain import simplify
from cartulary.pictures.style import source, stylesheet

__all__ = ["Picture", "draw", "simplify", "source", "stylesheet"]
