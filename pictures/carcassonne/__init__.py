"""Pictures of Carcassonne."""

from pictures.carcassonne.scene import draw

__all__ = ["draw"]
