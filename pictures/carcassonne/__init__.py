"""Pictures of Carcassonne."""

from cartulary.pictures.carcassonne.scene import draw

__all__ = ["draw"]
